#include "runtime/batch.hpp"

#include "runtime/device_failure.hpp"
#include "runtime/opencl_program.hpp"
#include "runtime/pulse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <unordered_map>

#ifdef QCD_WITH_CUDA
#include <starpu_cuda.h>
#endif

namespace qcd
{

namespace
{

constexpr std::size_t alignment = 16; // of the arguments

/// One operation of a recipe, followed by its arguments.
struct alignas(alignment) Step {
    Origin origin;
    std::size_t bytes; // of this, the arguments and the waits, to the next step
    Manner manner;
    std::size_t wait_count;
    int stream;
    bool awaited; // by an operation in another stream
    BatchRecipe::Slot slot[max_slots];
};

std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

/// A running batch: a pointer per buffer of the task.
class Batch
{
public:
    Batch(std::vector<void*> memory, const char* recipe, std::size_t bytes)
        : header_(*reinterpret_cast<const BatchHeader*>(recipe)),
          recipe_(recipe + sizeof(BatchHeader)), end_(recipe + bytes), memory_(std::move(memory))
    {
    }
    Batch(void* buffers[], const starpu_task& task)
        : Batch(std::vector<void*>(buffers, buffers + STARPU_TASK_GET_NBUFFERS(&task)),
                static_cast<const char*>(task.cl_arg), task.cl_arg_size)
    {
    }
    template <class Address> // of a StarPU interface
    void locate(Address address)
    {
        for (void*& m : memory_) m = reinterpret_cast<void*>(address(m));
    }
    struct Call {
        const Codelet& codelet;
        const void* args;
        void* slots[max_slots];
        const Origin& origin;
        const Manner& manner;
        std::span<const ListWait> waits;
        int stream;
        bool awaited;
        const char* next; // where the one after it stands
    };
    const BatchHeader& header() const { return header_; }
    const std::vector<void*>& memory() const { return memory_; }
    /// Calls f(operation) for each.
    template <class F>
    void for_each(F f) const
    {
        for (const char* at = recipe_; at != end_;) {
            const Step& step = *reinterpret_cast<const Step*>(at);
            const char* const args = at + sizeof(Step);
            const auto* const waits = reinterpret_cast<const ListWait*>(
                args + aligned(step.origin.codelet->operation.args_size));
            Call o{*step.origin.codelet,     args,        {},           step.origin,    step.manner,
                   {waits, step.wait_count}, step.stream, step.awaited, at + step.bytes};
            for (int s = 0; s < max_slots; ++s) o.slots[s] = memory_of(step.slot[s]);
            beat();
            f(o);
            at = o.next;
        }
    }
    /// Calls f(operation, zero, is_zero) for each: slots that it sets to 0 after reading, and
    /// whether those that it adds to were so left. A kernel of their own would take 1 to 2 us.
    template <class F>
    void for_each_on_device(F f) const
    {
        std::set<void*> zero;
        for_each([&](const Call& o) {
            const std::vector<Slot>& slots = o.codelet.slots;
            unsigned to_zero = 0;
            bool is_zero = true;
            for (std::size_t s = 0; s < slots.size(); ++s) {
                if (slots[s].zeroed_by_reader && o.slots[s] && is_added_to(o.next, o.slots[s]))
                    to_zero |= 1u << s;
                if (slots[s].added_to > 0 && o.slots[s]) is_zero &= zero.erase(o.slots[s]) > 0;
            }
            f(o, to_zero, is_zero);
            for (std::size_t s = 0; s < slots.size(); ++s)
                if (to_zero >> s & 1) zero.insert(o.slots[s]);
        });
    }

private:
    /// Of the operations from `at` on, does the first that uses this memory add to it from 0 on?
    bool is_added_to(const char* at, const void* memory) const
    {
        for (; at != end_; at += reinterpret_cast<const Step*>(at)->bytes) {
            const Step& step = *reinterpret_cast<const Step*>(at);
            const std::vector<Slot>& slots = step.origin.codelet->slots;
            for (std::size_t s = 0; s < slots.size(); ++s)
                if (memory_of(step.slot[s]) == memory) return slots[s].added_to > 0;
        }
        return false;
    }
    void* memory_of(const BatchRecipe::Slot& s) const
    {
        return s.buffer < 0 ? s.memory : memory_[s.buffer];
    }

    const BatchHeader& header_;
    const char *recipe_, *end_;
    std::vector<void*> memory_;
};

/// On cores; `list` of those that are executed together, if several are.
void execute(const Batch& batch, const BatchHeader& header, int list)
{
    Laps laps(header.events, Laps::Task::of_many, header.ready);
    std::uint32_t executed = 0;
    batch.for_each([&](const Batch::Call& o) {
        for (const ListWait& wait : o.waits) header.together->progress().await(wait);
        if (!o.waits.empty()) laps.waited();
        execute_on_cores(o.codelet, o.args, o.slots, o.manner);
        if (header.together) header.together->progress().executed(list, ++executed);
        laps.lap(o.origin, o.slots);
    });
}

void cpu_entry(void* buffers[], void*)
{
    Batch batch(buffers, *starpu_task_get_current());
    batch.locate([](void* b) { return STARPU_VECTOR_GET_PTR(b); });
    const BatchHeader& header = batch.header();
    const std::unique_ptr<Together> together(header.together);
    if (together) together->begin(batch.memory(), header);
    execute(batch, header, 0);
    if (together) together->await_others();
}

/// Of a task with another list than the first.
struct ListArgument {
    Together* together;
    int list;
};

void list_entry(void**, void* argument)
{
    const ListArgument a = *static_cast<const ListArgument*>(argument);
    a.together->execute(a.list);
}

/// It has no data, and no model: its worker is known.
starpu_codelet& list_codelet()
{
    static starpu_codelet cl = [] {
        starpu_codelet c;
        starpu_codelet_init(&c);
        c.name = "list";
        c.cpu_funcs[0] = list_entry;
        return c;
    }();
    return cl;
}

#ifdef QCD_WITH_CUDA
/// The streams of a CUDA worker, each in the order in which it is given operations; the first is
/// StarPU's. Operations of other streams are waited for by events.
class Streams
{
public:
    explicit Streams(int count) : streams_(std::size_t(count))
    {
        Kept& kept = of_this_worker();
        while (int(kept.streams.size()) < count - 1) {
            kept.streams.emplace_back();
            check_cuda(cudaStreamCreateWithFlags(&kept.streams.back(), cudaStreamNonBlocking));
        }
        for (int s = 0; s < count; ++s)
            streams_[std::size_t(s)].stream =
                s == 0 ? starpu_cuda_get_local_stream() : kept.streams[std::size_t(s) - 1];
        for (int s = 1; s < count; ++s) wait(s, record(0));
    }
    /// The first stream goes on when all have ended.
    ~Streams()
    {
        for (int s = 1; s < int(streams_.size()); ++s) wait(0, record(s));
    }
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;

    cudaStream_t operator[](int s) const { return streams_[std::size_t(s)].stream; }
    /// What is enqueued next waits for these operations of other streams.
    void await(int s, std::span<const ListWait> waits)
    {
        for (const ListWait& w : waits)
            wait(s, streams_[std::size_t(w.list)].events.at(w.operations));
    }
    /// One more operation has been enqueued.
    void enqueued(int s, bool awaited)
    {
        OfStream& of = streams_[std::size_t(s)];
        ++of.operations;
        if (awaited) of.events.emplace(of.operations, record(s));
    }

private:
    struct OfStream {
        cudaStream_t stream = nullptr;
        std::uint32_t operations = 0;
        std::unordered_map<std::uint32_t, cudaEvent_t> events{}; // after so many operations
    };
    /// CUDA ends them with the process, as it does StarPU's.
    struct Kept {
        std::vector<cudaStream_t> streams;
        std::vector<cudaEvent_t> events;
    };
    static Kept& of_this_worker()
    {
        static thread_local Kept kept;
        return kept;
    }

    /// An event that is waited for keeps what it was recorded for, even if it is recorded again.
    cudaEvent_t record(int s)
    {
        std::vector<cudaEvent_t>& events = of_this_worker().events;
        if (used_ == events.size()) {
            events.emplace_back();
            check_cuda(cudaEventCreateWithFlags(&events.back(), cudaEventDisableTiming));
        }
        check_cuda(cudaEventRecord(events[used_], streams_[std::size_t(s)].stream));
        return events[used_++];
    }
    void wait(int s, cudaEvent_t event)
    {
        check_cuda(cudaStreamWaitEvent(streams_[std::size_t(s)].stream, event, 0));
    }

    std::vector<OfStream> streams_;
    std::size_t used_ = 0;
};

void cuda_entry(void* buffers[], void*)
{
    Batch batch(buffers, *starpu_task_get_current());
    batch.locate([](void* b) { return STARPU_VECTOR_GET_PTR(b); });
    // Launched one by one: they queue up while the GPU works. A CUDA graph of them was no faster.
    Laps laps(batch.header().events, Laps::Task::of_many, batch.header().ready,
              starpu_cuda_get_local_stream());
    Streams streams(batch.header().streams);
    batch.for_each_on_device([&](const Batch::Call& o, unsigned zero, bool is_zero) {
        streams.await(o.stream, o.waits);
        if (batch.header().streams > 1) laps.next_in(streams[o.stream]);
        o.codelet.kernels.cuda(o.args, o.slots,
                               {.stream = streams[o.stream],
                                .downwards = o.manner.downwards,
                                .zero = zero,
                                .is_zero = is_zero,
                                .layers = o.manner.layers});
        streams.enqueued(o.stream, o.awaited);
        laps.lap(o.origin);
    });
    check_cuda(cudaGetLastError());
}
#endif

#ifdef STARPU_USE_OPENCL
void opencl_entry(void* buffers[], void*)
{
    Batch batch(buffers, *starpu_task_get_current());
    batch.locate([](void* b) { return STARPU_VECTOR_GET_DEV_HANDLE(b); });
    Laps laps(batch.header().events, Laps::Task::of_many, batch.header().ready, opencl_finish);
    batch.for_each_on_device([&](const Batch::Call& o, unsigned zero, bool is_zero) {
        opencl_launch(o.codelet, o.args, o.slots, {o.manner, zero, is_zero});
        laps.lap(o.origin);
    });
}
#endif

/// What a batch takes follows from its operations, their arguments and the sizes of its data.
uint32_t footprint(starpu_task* task)
{
    uint32_t hash = starpu_task_data_footprint(task);
    const char* at = static_cast<const char*>(task->cl_arg);
    const char* const end = at + task->cl_arg_size;
    for (at += sizeof(BatchHeader); at != end; at += reinterpret_cast<const Step*>(at)->bytes) {
        const Step& step = *reinterpret_cast<const Step*>(at);
        const Codelet& codelet = *step.origin.codelet;
        hash = starpu_hash_crc32c_string(codelet.name.c_str(), hash);
        for (const int of_manner : {step.manner.cores, step.manner.layers})
            hash = starpu_hash_crc32c_be(uint32_t(of_manner), hash);
        hash = starpu_hash_crc32c_be(uint32_t(codelet.operation.blocks(at + sizeof(Step))), hash);
    }
    return hash;
}

struct BatchCodelet {
    starpu_codelet cl{};
    starpu_perfmodel model{};
    std::string symbol = fmt::format("batch_{}", to_string(cpu_isa()));

    BatchCodelet()
    {
        model.type = STARPU_HISTORY_BASED;
        model.symbol = symbol.c_str();
        model.footprint = footprint;
        starpu_codelet_init(&cl);
        cl.name = "batch";
        cl.model = &model;
        cl.nbuffers = STARPU_VARIABLE_NBUFFERS;
        cl.cpu_funcs[0] = cpu_entry;
#ifdef QCD_WITH_CUDA
        cl.cuda_funcs[0] = cuda_entry;
        cl.cuda_flags[0] = STARPU_CUDA_ASYNC;
#endif
#ifdef STARPU_USE_OPENCL
        cl.opencl_funcs[0] = opencl_entry;
        cl.opencl_flags[0] = STARPU_OPENCL_ASYNC;
#endif
    }
};

} // namespace

BatchRecipe::BatchRecipe(int streams) : bytes_(sizeof(BatchHeader)), steps_(std::size_t(streams)) {}

void BatchRecipe::add(const Origin& origin, const void* args, const std::vector<Slot>& slots,
                      const Manner& manner, std::span<const ListWait> waits, int stream)
{
    const std::size_t size = origin.codelet->operation.args_size;
    const std::size_t args_end = sizeof(Step) + aligned(size);
    Step step{origin, args_end + aligned(waits.size_bytes()), manner, waits.size(), stream, false,
              {}};
    std::copy(slots.begin(), slots.end(), step.slot);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + step.bytes);
    std::memcpy(bytes_.data() + at, &step, sizeof step);
    std::memcpy(bytes_.data() + at + sizeof step, args, size);
    if (!waits.empty())
        std::memcpy(bytes_.data() + at + args_end, waits.data(), waits.size_bytes());
    if (steps_.size() == 1) return;
    steps_[std::size_t(stream)].push_back(at);
    for (const ListWait& w : waits)
        reinterpret_cast<Step*>(bytes_.data() + steps_[std::size_t(w.list)][w.operations - 1])
            ->awaited = true;
}

Together::Together(const std::vector<int>& workers, std::vector<BatchRecipe> others,
                   const char* name)
    : workers_(workers), others_(std::move(others)), progress_(workers.size()), name_(name)
{
}

void Together::begin(const std::vector<void*>& memory, const BatchHeader& header)
{
    memory_ = memory;
    header_ = header;
    for (std::size_t i = 1; i < workers_.size(); ++i) {
        starpu_task* const task = starpu_task_create();
        task->cl = &list_codelet();
        task->name = name_;
        auto* const argument = static_cast<ListArgument*>(std::malloc(sizeof(ListArgument)));
        *argument = {this, int(i)};
        task->cl_arg = argument; // StarPU frees it
        task->cl_arg_size = sizeof *argument;
        task->cl_arg_free = 1;
        task->execute_on_a_specific_worker = 1;
        task->workerid = unsigned(workers_[i]);
        if (starpu_task_submit(task) != 0)
            device_failed("StarPU", "it refused a list of a schedule");
    }
}

void Together::execute(int list)
{
    const std::vector<char>& recipe = others_[std::size_t(list) - 1].bytes();
    qcd::execute(Batch(memory_, recipe.data(), recipe.size()), header_, list);
    progress_.end(list); // the last look at this
}

void Together::await_others() const
{
    for (std::size_t i = 1; i < workers_.size(); ++i) progress_.await_end(int(i));
}

starpu_codelet& batch_codelet()
{
    static BatchCodelet batch;
    return batch.cl;
}

} // namespace qcd

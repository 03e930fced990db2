#include "runtime/batch.hpp"

#include "runtime/device_failure.hpp"
#include "runtime/opencl_program.hpp"
#include "runtime/running_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

#ifdef STARPU_USE_OPENCL
#include <starpu_opencl.h>
#endif

namespace qcd
{

namespace
{

/// On cores; `list` of those that are executed together, if several are.
void execute(const RunningBatch& batch, const BatchHeader& header, int list)
{
    Laps laps(header.events, Laps::Task::of_many, header.ready);
    std::uint32_t executed = 0;
    batch.for_each([&](const RunningBatch::Call& o) {
        for (const ListWait& wait : o.waits) header.together->progress().await(wait);
        if (!o.waits.empty()) laps.waited();
        execute_on_cores(o.codelet, o.args, o.slots, o.manner);
        if (header.together) header.together->progress().executed(list, ++executed);
        laps.lap(o.origin, o.slots);
    });
}

void cpu_entry(void* buffers[], void*)
{
    RunningBatch batch(buffers, *starpu_task_get_current());
    batch.locate([](void* b) { return STARPU_VECTOR_GET_PTR(b); });
    const BatchHeader& header = batch.header();
    if (header.together) header.together->begin(batch.memory(), header);
    execute(batch, header, header.list);
    if (header.together) header.together->end(header.list);
}

/// Argument of a task with a list whose data are another's.
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
void cuda_entry(void* buffers[], void*)
{
    RunningBatch batch(buffers, *starpu_task_get_current());
    batch.locate([](void* b) { return STARPU_VECTOR_GET_PTR(b); });
    execute_on_cuda(batch);
}
#endif

#ifdef STARPU_USE_OPENCL

/// An OpenCL worker's queue, to which a list of several is given.
class OpenclQueue
{
public:
    using Mark = cl_event;
    OpenclQueue() { starpu_opencl_get_queue(starpu_worker_get_devid(worker()), &queue_); }
    void launch(const RunningBatch::Call& o, unsigned zero, bool is_zero)
    {
        opencl_launch(o.codelet, o.args, o.slots, {o.manner, zero, is_zero});
    }
    void copy(const CopyArgs& c, void* from, void* to)
    {
        check(c.way == CopyArgs::from_host
                  ? clEnqueueWriteBuffer(queue_, static_cast<cl_mem>(to), CL_FALSE, 0, c.bytes,
                                         from, 0, nullptr, nullptr)
                  : clEnqueueReadBuffer(queue_, static_cast<cl_mem>(from), CL_FALSE, 0, c.bytes, to,
                                        0, nullptr, nullptr));
    }
    Mark mark()
    {
        cl_event event = nullptr;
        check(clEnqueueMarkerWithWaitList(queue_, 0, nullptr, &event));
        check(clFlush(queue_));
        return event;
    }
    void publish(Mark, Together&, int, std::uint32_t) {} // no other device can wait for it
    /// Asleep: a device that is made of cores needs them.
    void wait_for(Mark event) { check(clWaitForEvents(1, &event)); }
    bool has_passed(Mark event)
    {
        cl_int status = CL_QUEUED;
        check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                             nullptr));
        if (status < 0) check(status);
        if (status != CL_COMPLETE) return false;
        clReleaseEvent(event);
        return true;
    }
    /// Waits for others' operations are the worker's.
    template <class Meanwhile>
    bool follow(const Together&, const ListWait&, Meanwhile)
    {
        return false;
    }

private:
    static int worker() { return starpu_worker_get_id_check(); }
    static void check(cl_int status)
    {
        if (status != CL_SUCCESS) device_failed("OpenCL", starpu_opencl_error_string(status));
    }
    cl_command_queue queue_ = nullptr;
};

void opencl_entry(void* buffers[], void*)
{
    RunningBatch batch(buffers, *starpu_task_get_current());
    batch.locate([](void* b) { return STARPU_VECTOR_GET_DEV_HANDLE(b); });
    const BatchHeader& header = batch.header();
    Laps laps(header.events, Laps::Task::of_many, header.ready, opencl_finish);
    if (header.together) {
        execute_on_device(
            batch, OpenclQueue(), [&] { laps.waited(); }, laps);
        return;
    }
    batch.for_each_on_device([&](const RunningBatch::Call& o, unsigned zero, bool is_zero) {
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
    steps_[std::size_t(stream)].push_back(at);
}

void BatchRecipe::await(std::uint32_t n, int stream)
{
    reinterpret_cast<Step*>(bytes_.data() + steps_[std::size_t(stream)][n - 1])->awaited = true;
}

std::size_t BatchRecipe::size() const
{
    std::size_t n = 0;
    for (const auto& of_stream : steps_) n += of_stream.size();
    return n;
}

namespace
{

void copy_on_cores(const void* args, void* const* slots, CpuShare share)
{
    if (share.index == 0)
        std::memcpy(slots[1], slots[0], static_cast<const CopyArgs*>(args)->bytes);
}

} // namespace

const Codelet& copy_codelet()
{
    static const Operation operation{
        .name = "copy",
        .args_size = sizeof(CopyArgs),
        .slots = {{.name = "from"}, {.name = "to", .mode = Mode::writes}},
        .blocks = one_block,
        .sweeps = false};
    static const Codelet codelet(operation, 0, operation.name,
                                 {.cpu = {copy_on_cores, copy_on_cores, copy_on_cores}});
    return codelet;
}

Together::Together(std::vector<List> lists, const char* name)
    : lists_(std::move(lists)), name_(name), begun_(lists_.size()), progress_(lists_.size()),
      enqueued_(lists_.size()), events_(lists_.size()), running_(int(lists_.size()))
{
    for (std::size_t i = 0; i < lists_.size(); ++i) {
        lengths_.push_back(std::uint32_t(lists_[i].recipe.size()));
        if (starpu_worker_get_type(lists_[i].worker) == STARPU_CUDA_WORKER)
            events_[i].resize(lengths_.back() + 1);
    }
}

bool Together::is_on_cuda() const
{
    return std::none_of(events_.begin(), events_.end(), [](const auto& e) { return e.empty(); });
}

void Together::begin(const std::vector<void*>& memory, const BatchHeader& header)
{
    const int leader = header.list;
    Begun& begun = begun_[std::size_t(leader)];
    begun.memory = memory;
    begun.header = header;
    begun.is.store(true, std::memory_order_release);
    for (int i = 0; i < int(lists_.size()); ++i) {
        const List& list = lists_[std::size_t(i)];
        if (list.leader != leader || i == leader) continue;
        starpu_task* const task = starpu_task_create();
        task->cl = &list_codelet();
        task->name = name_;
        auto* const argument = static_cast<ListArgument*>(std::malloc(sizeof(ListArgument)));
        *argument = {this, i};
        task->cl_arg = argument; // StarPU frees it
        task->cl_arg_size = sizeof *argument;
        task->cl_arg_free = 1;
        task->execute_on_a_specific_worker = 1;
        task->workerid = unsigned(list.worker);
        if (starpu_task_submit(task) != 0)
            device_failed("StarPU", "it refused a list of a schedule");
    }
}

void* Together::memory(int leader, int buffer) const
{
    const Begun& begun = begun_[std::size_t(leader)];
    spin_until([&] { return begun.is.load(std::memory_order_acquire); });
    return begun.memory[std::size_t(buffer)];
}

void Together::execute(int list)
{
    const List& mine = lists_[std::size_t(list)];
    const Begun& begun = begun_[std::size_t(mine.leader)];
    const std::vector<char>& recipe = mine.recipe.bytes();
    qcd::execute(RunningBatch(begun.memory, recipe.data(), recipe.size(), this), begun.header,
                 list);
    end(list);
}

void Together::end(int list)
{
    progress_.end(list);
    if (lists_[std::size_t(list)].leader == list)
        for (int i = 0; i < int(lists_.size()); ++i) progress_.await_end(i);
    if (running_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

void Together::enqueued(int list, std::uint32_t n, void* event)
{
    events_[std::size_t(list)][n] = event;
    enqueued_.executed(list, n);
}

starpu_codelet& batch_codelet()
{
    static BatchCodelet batch;
    return batch.cl;
}

} // namespace qcd

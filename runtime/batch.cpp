#include "runtime/batch.hpp"

#include "runtime/device_failure.hpp"
#include "runtime/opencl_program.hpp"
#include "runtime/pulse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>

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
    std::size_t bytes; // of this and the arguments, to the next step
    Manner manner;
    BatchRecipe::Slot slot[max_slots];
};

/// A running batch: a pointer per buffer of the task.
class Batch
{
public:
    Batch(void* buffers[], const starpu_task& task)
        : header_(*static_cast<const BatchHeader*>(task.cl_arg)),
          recipe_(static_cast<const char*>(task.cl_arg) + sizeof(BatchHeader)),
          end_(static_cast<const char*>(task.cl_arg) + task.cl_arg_size),
          memory_(buffers, buffers + STARPU_TASK_GET_NBUFFERS(&task))
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
        const char* next; // where the one after it stands
    };
    const BatchHeader& header() const { return header_; }
    /// Calls f(operation) for each.
    template <class F>
    void for_each(F f) const
    {
        for (const char* at = recipe_; at != end_;) {
            const Step& step = *reinterpret_cast<const Step*>(at);
            Call o{*step.origin.codelet, at + sizeof(Step), {},
                   step.origin,          step.manner,       at + step.bytes};
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

void cpu_entry(void* buffers[], void*)
{
    Batch batch(buffers, *starpu_task_get_current());
    batch.locate([](void* b) { return STARPU_VECTOR_GET_PTR(b); });
    Laps laps(batch.header().events, Laps::Task::of_many, batch.header().ready);
    batch.for_each([&](const Batch::Call& o) {
        execute_on_cores(o.codelet, o.args, o.slots, o.manner);
        laps.lap(o.origin, o.slots);
    });
}

#ifdef QCD_WITH_CUDA
void cuda_entry(void* buffers[], void*)
{
    Batch batch(buffers, *starpu_task_get_current());
    batch.locate([](void* b) { return STARPU_VECTOR_GET_PTR(b); });
    // Launched one by one: they queue up while the GPU works. A CUDA graph of them was no faster.
    const cudaStream_t stream = starpu_cuda_get_local_stream();
    Laps laps(batch.header().events, Laps::Task::of_many, batch.header().ready, stream);
    batch.for_each_on_device([&](const Batch::Call& o, unsigned zero, bool is_zero) {
        o.codelet.kernels.cuda(o.args, o.slots,
                               {.stream = stream,
                                .downwards = o.manner.downwards,
                                .zero = zero,
                                .is_zero = is_zero,
                                .layers = o.manner.layers});
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

BatchRecipe::BatchRecipe() : bytes_(sizeof(BatchHeader)) {}

void BatchRecipe::add(const Origin& origin, const void* args, const std::vector<Slot>& slots,
                      const Manner& manner)
{
    const std::size_t size = origin.codelet->operation.args_size;
    Step step{origin, sizeof(Step) + (size + alignment - 1) / alignment * alignment, manner, {}};
    std::copy(slots.begin(), slots.end(), step.slot);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + step.bytes);
    std::memcpy(bytes_.data() + at, &step, sizeof step);
    std::memcpy(bytes_.data() + at + sizeof step, args, size);
}

starpu_codelet& batch_codelet()
{
    static BatchCodelet batch;
    return batch.cl;
}

} // namespace qcd

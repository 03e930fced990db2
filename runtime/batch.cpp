#include "runtime/batch.hpp"

#include "runtime/device_failure.hpp"
#include "runtime/kernel_times.hpp"
#include "runtime/opencl_program.hpp"
#include "runtime/pulse.hpp"

#include <algorithm>
#include <cstring>
#include <set>

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
    const Codelet* codelet;
    std::size_t bytes; // of this and the arguments, to the next step
    Work work;
    Manner manner;
    BatchRecipe::Slot slot[max_slots];
};

/// A running batch: a pointer per buffer of the task.
class Batch
{
public:
    Batch(void* buffers[], const starpu_task& task)
        : recipe_(static_cast<const char*>(task.cl_arg)), end_(recipe_ + task.cl_arg_size),
          memory_(buffers, buffers + STARPU_TASK_GET_NBUFFERS(&task))
    {
    }
    template <class Address> // of a StarPU interface
    void locate(Address address)
    {
        for (void*& m : memory_) m = reinterpret_cast<void*>(address(m));
    }
    struct Operation {
        const Codelet& codelet;
        const void* args;
        void* slots[max_slots];
        const Work& work;
        const Manner& manner;
        const char* next; // where the one after it stands
    };
    /// Calls f(operation) for each.
    template <class F>
    void for_each(F f) const
    {
        for (const char* at = recipe_; at != end_;) {
            const Step& step = *reinterpret_cast<const Step*>(at);
            Operation o{*step.codelet, at + sizeof(Step), {},
                        step.work,     step.manner,       at + step.bytes};
            for (int s = 0; s < max_slots; ++s) o.slots[s] = memory_of(step.slot[s]);
            beat();
            f(o);
            at = o.next;
        }
    }
    /// Calls f(operation, clear, sums_are_clear) for each: slots whose sums it clears after
    /// reading, and whether those that it fills were so cleared. A kernel of their own would take 1
    /// to 2 us.
    template <class F>
    void for_each_on_device(F f) const
    {
        std::set<void*> clear;
        for_each([&](const Operation& o) {
            const CodeletFamily& family = *o.codelet.family;
            unsigned to_clear = 0;
            for (int s = 0; s < family.slots; ++s)
                if ((family.clears >> s & 1) && o.slots[s] && starts_sums(o.next, o.slots[s]))
                    to_clear |= 1u << s;
            const int filled = family.sums_slot;
            f(o, to_clear, filled >= 0 && clear.erase(o.slots[filled]) > 0);
            for (int s = 0; s < family.slots; ++s)
                if (to_clear >> s & 1) clear.insert(o.slots[s]);
        });
    }

private:
    /// Of the operations from `at` on, is the first that uses this memory one that starts sums
    /// there?
    bool starts_sums(const char* at, const void* memory) const
    {
        for (; at != end_; at += reinterpret_cast<const Step*>(at)->bytes) {
            const Step& step = *reinterpret_cast<const Step*>(at);
            const CodeletFamily& f = *step.codelet->family;
            for (int s = 0; s < max_slots; ++s)
                if (memory_of(step.slot[s]) == memory) return s == f.sums_slot;
        }
        return false;
    }
    void* memory_of(const BatchRecipe::Slot& s) const
    {
        return s.buffer < 0 ? s.memory : memory_[s.buffer];
    }

    const char *recipe_, *end_;
    std::vector<void*> memory_;
};

void cpu_entry(void* buffers[], void*)
{
    Batch batch(buffers, *starpu_task_get_current());
    batch.locate([](void* b) { return STARPU_VECTOR_GET_PTR(b); });
    batch.for_each([](const Batch::Operation& o) {
        const TimedKernel timed(o.codelet, o.work, o.slots);
        execute_on_cores(o.codelet, o.args, o.slots, o.manner);
    });
}

#ifdef QCD_WITH_CUDA
void cuda_entry(void* buffers[], void*)
{
    Batch batch(buffers, *starpu_task_get_current());
    batch.locate([](void* b) { return STARPU_VECTOR_GET_PTR(b); });
    // Launched one by one: they queue up while the GPU works. A CUDA graph of them was no faster.
    const cudaStream_t stream = starpu_cuda_get_local_stream();
    batch.for_each_on_device([&](const Batch::Operation& o, unsigned clear, bool sums_are_clear) {
        const TimedKernel timed(o.codelet, o.work, stream);
        o.codelet.cuda_kernel(o.manner.row_bytes)(o.args, o.slots,
                                                  {.stream = stream,
                                                   .downwards = o.manner.downwards,
                                                   .clear = clear,
                                                   .sums_are_clear = sums_are_clear});
    });
    check_cuda(cudaGetLastError());
}
#endif

#ifdef STARPU_USE_OPENCL
void opencl_entry(void* buffers[], void*)
{
    Batch batch(buffers, *starpu_task_get_current());
    batch.locate([](void* b) { return STARPU_VECTOR_GET_DEV_HANDLE(b); });
    batch.for_each_on_device([](const Batch::Operation& o, unsigned clear, bool sums_are_clear) {
        const TimedKernel timed(o.codelet, o.work, opencl_finish);
        opencl_launch(o.codelet, o.args, o.slots, {o.manner, clear, sums_are_clear});
    });
}
#endif

starpu_codelet make_codelet()
{
    starpu_codelet cl;
    starpu_codelet_init(&cl);
    cl.name = "batch";
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
    return cl;
}

} // namespace

void BatchRecipe::add(const Codelet& codelet, const void* args, const std::vector<Slot>& slots,
                      const Work& work, const Manner& manner)
{
    const std::size_t size = codelet.family->args_size;
    Step step{
        &codelet, sizeof(Step) + (size + alignment - 1) / alignment * alignment, work, manner, {}};
    std::copy(slots.begin(), slots.end(), step.slot);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + step.bytes);
    std::memcpy(bytes_.data() + at, &step, sizeof step);
    std::memcpy(bytes_.data() + at + sizeof step, args, size);
}

starpu_codelet& batch_codelet()
{
    static starpu_codelet codelet = make_codelet();
    return codelet;
}

} // namespace qcd

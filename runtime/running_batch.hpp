#pragma once
// A batch while it is executed: of batch.cpp and cuda_batch.cpp.

#include "runtime/batch.hpp"
#include "runtime/pulse.hpp"

#include <starpu.h>

#include <cstddef>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace qcd
{

inline constexpr std::size_t alignment = 16; // of the arguments

/// One operation of a recipe, followed by its arguments and its waits.
struct alignas(alignment) Step {
    Origin origin;
    std::size_t bytes; // of this, the arguments and the waits, to the next step
    Manner manner;
    std::size_t wait_count;
    int stream;
    bool awaited; // by an operation in another stream
    BatchRecipe::Slot slot[max_slots];
};

inline std::size_t aligned(std::size_t bytes)
{
    return (bytes + alignment - 1) / alignment * alignment;
}

/// A running batch: a pointer per buffer of the task.
class RunningBatch
{
public:
    RunningBatch(std::vector<void*> memory, const char* recipe, std::size_t bytes)
        : header_(*reinterpret_cast<const BatchHeader*>(recipe)),
          recipe_(recipe + sizeof(BatchHeader)), end_(recipe + bytes), memory_(std::move(memory))
    {
    }
    RunningBatch(void* buffers[], const starpu_task& task)
        : RunningBatch(std::vector<void*>(buffers, buffers + STARPU_TASK_GET_NBUFFERS(&task)),
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
    /// Does the first of the operations from `at` on that uses this memory add to it from 0 on?
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

#ifdef QCD_WITH_CUDA
/// Enqueues all, for the calling worker.
void execute_on_cuda(const RunningBatch&);
#endif

} // namespace qcd

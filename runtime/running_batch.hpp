#pragma once
// A batch while it is executed: of batch.cpp and cuda_batch.cpp.

#include "runtime/batch.hpp"
#include "runtime/pulse.hpp"

#include <starpu.h>

#include <cstddef>
#include <cstdint>
#include <deque>
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
    /// together: of which it is a list; null: of none.
    RunningBatch(std::vector<void*> memory, const char* recipe, std::size_t bytes,
                 const Together* together)
        : header_(*reinterpret_cast<const BatchHeader*>(recipe)),
          recipe_(recipe + sizeof(BatchHeader)), end_(recipe + bytes), memory_(std::move(memory)),
          together_(together)
    {
    }
    RunningBatch(void* buffers[], const starpu_task& task)
        : RunningBatch(std::vector<void*>(buffers, buffers + STARPU_TASK_GET_NBUFFERS(&task)),
                       static_cast<const char*>(task.cl_arg), task.cl_arg_size,
                       static_cast<const BatchHeader*>(task.cl_arg)->together)
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
        unsigned copied;  // a bit for each slot whose memory others copy
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
            Call o{
                *step.origin.codelet,     args,        {},           step.origin, step.manner,
                {waits, step.wait_count}, step.stream, step.awaited, 0,           at + step.bytes};
            for (int s = 0; s < max_slots; ++s) {
                o.slots[s] = memory_of(step.slot[s]);
                o.copied |= unsigned(step.slot[s].copied) << s;
            }
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
                if (slots[s].zeroed_by_reader && o.slots[s] && !(o.copied >> s & 1) &&
                    is_added_to(o.next, o.slots[s]))
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
        if (s.buffer < 0) return s.memory;
        return s.list < 0 ? memory_[std::size_t(s.buffer)] : together_->memory(s.list, s.buffer);
    }

    const BatchHeader& header_;
    const char *recipe_, *end_;
    std::vector<void*> memory_;
    const Together* together_;
};

/// One list of several, given to a device's queue: what other workers need is told when the device
/// has done it. waited: the worker has waited for another.
template <class Queue, class Waited>
void execute_on_device(const RunningBatch& batch, Queue queue, Waited waited, Laps& laps)
{
    Together& together = *batch.header().together;
    const int list = batch.header().list;
    together.begin(batch.memory(), batch.header());
    struct Told {
        typename Queue::Mark mark;
        std::uint32_t executed;
    };
    std::deque<Told> to_tell;
    // Where all are CUDA devices no worker waits for what they do: it can go on, as StarPU may need
    // it.
    const bool on_devices = together.is_on_cuda();
    const auto tell = [&] {
        for (; !to_tell.empty() && queue.has_passed(to_tell.front().mark); to_tell.pop_front())
            together.progress().executed(list, to_tell.front().executed);
    };
    std::uint32_t enqueued = 0;
    batch.for_each_on_device([&](const RunningBatch::Call& o, unsigned zero, bool is_zero) {
        for (const ListWait& wait : o.waits)
            if (!queue.follow(together, wait, tell)) together.progress().await(wait, tell);
        if (!o.waits.empty()) waited();
        if (&o.codelet == &copy_codelet())
            queue.copy(*static_cast<const CopyArgs*>(o.args), o.slots[0], o.slots[1]);
        else
            queue.launch(o, zero, is_zero);
        ++enqueued;
        if (o.awaited || (on_devices && enqueued == together.length(list))) {
            const auto mark = queue.mark();
            queue.publish(mark, together, list, enqueued);
            if (!on_devices) to_tell.push_back({mark, enqueued});
        }
        tell();
        laps.lap(o.origin);
    });
    if (on_devices) { // its task ends, on the device, when all lists have ended
        for (int other = 0; other < together.lists(); ++other)
            if (other != list && together.length(other) > 0)
                queue.follow(together, {other, together.length(other)}, tell);
    } else {
        // All that was enqueued, whether somebody waits for it or not.
        to_tell.push_back({queue.mark(), enqueued});
        while (!to_tell.empty()) {
            queue.wait_for(to_tell.front().mark);
            tell();
        }
    }
    together.end(list);
}

#ifdef QCD_WITH_CUDA
/// Enqueues all, for the calling worker.
void execute_on_cuda(const RunningBatch&);
#endif

} // namespace qcd

#pragma once
// Several operations as one task: its worker executes them in their order, on one stream. For runs
// in which a task of its own for each would cost more than its kernel. Of the lists of a schedule
// one is such a task, which has the data of all, and starts the others.

#include "runtime/codelet.hpp"
#include "runtime/list_progress.hpp"

#include <memory>
#include <span>
#include <vector>

namespace qcd
{

class Together;

/// What a recipe begins with.
struct alignas(16) BatchHeader {
    Events* events = nullptr;     // null: nobody records
    double ready = 0;             // of Event, set where somebody records
    Together* together = nullptr; // null: there is one list; the task deletes it
    int streams = 1;              // of a CUDA device
};

/// Operations, each with its arguments and its buffers, as numbers of the task's buffers.
class BatchRecipe
{
public:
    /// What a slot holds: a buffer of the task, or memory that is no StarPU data, or nothing.
    struct Slot {
        int buffer = -1;
        void* memory = nullptr;
    };
    /// Where a device has several streams each operation is enqueued in one of them, and waits are
    /// for those of other streams.
    explicit BatchRecipe(int streams = 1);
    /// `args` is copied. Waits are for operations that were added before, or are of other recipes.
    void add(const Origin&, const void* args, const std::vector<Slot>& slots, const Manner&,
             std::span<const ListWait> waits = {}, int stream = 0);
    /// What the batch codelet wants as its argument, a BatchHeader first.
    const std::vector<char>& bytes() const { return bytes_; }
    int streams() const { return int(steps_.size()); }

private:
    std::vector<char> bytes_;
    std::vector<std::vector<std::size_t>> steps_; // of each stream: where they are in the bytes
};

/// The lists of a schedule while CPU workers execute them, all at the same time: list 0 by the task
/// that has the data, the others by tasks of their own, which that one submits when it begins. It
/// ends when all have ended. So all begin or none does, and nobody waits for a worker that has yet
/// to execute what comes before.
class Together
{
public:
    /// workers: StarPU's numbers, of list 0, 1, ...; a recipe for each of the others.
    Together(const std::vector<int>& workers, std::vector<BatchRecipe> others, const char* name);

    /// By the task with the data, whose memory is so: it submits the others.
    void begin(const std::vector<void*>& memory, const BatchHeader&);
    /// Until all other lists are executed.
    void await_others() const;
    ListProgress& progress() { return progress_; }
    /// By a worker other than that of list 0.
    void execute(int list);

private:
    std::vector<int> workers_;
    std::vector<BatchRecipe> others_; // of list 1, 2, ...
    ListProgress progress_;
    const char* name_;
    std::vector<void*> memory_{};
    BatchHeader header_{};
};

/// Executes a recipe: CPU kernels one after another; CUDA and OpenCL kernels enqueued in order. Its
/// performance model knows recipes of other operations, or of another number of iterations, apart.
starpu_codelet& batch_codelet();

} // namespace qcd

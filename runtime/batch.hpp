#pragma once
// Several operations as one task: its worker executes them in their order, on one stream. For runs
// in which a task of its own for each would cost more than its kernel. Of the lists of a schedule
// one in each memory is such a task, which has the data there, and starts the others there.

#include "runtime/codelet.hpp"
#include "runtime/list_progress.hpp"

#include <atomic>
#include <cstdint>
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
    Together* together = nullptr; // null: there is one list
    int list = 0;                 // of those
    int streams = 1;              // of a CUDA device
};

/// Operations, each with its arguments and its buffers, as numbers of the task's buffers.
class BatchRecipe
{
public:
    /// What a slot holds: a buffer of the task, or of the task with another list, or memory that is
    /// no StarPU data, or nothing.
    struct Slot {
        int buffer = -1;
        int list = -1;       // whose buffer it is; -1: of this task
        bool copied = false; // other memories have copies of it
        void* memory = nullptr;
    };
    /// Where a device has several streams each operation is enqueued in one of them, and waits are
    /// for those of other streams.
    explicit BatchRecipe(int streams = 1);
    /// `args` is copied.
    void add(const Origin&, const void* args, const std::vector<Slot>& slots, const Manner&,
             std::span<const ListWait> waits = {}, int stream = 0);
    /// The n-th operation of this stream is waited for from outside of it.
    void await(std::uint32_t n, int stream = 0);
    /// What the batch codelet wants as its argument, a BatchHeader first.
    const std::vector<char>& bytes() const { return bytes_; }
    int streams() const { return int(steps_.size()); }
    /// How many operations it has.
    std::size_t size() const;

private:
    std::vector<char> bytes_;
    std::vector<std::vector<std::size_t>> steps_; // of each stream: where they are in the bytes
};

/// A copy between the memories of two lists, which one of them executes: slot 1 <- slot 0. In
/// traces it is an operation like others.
struct CopyArgs {
    std::size_t bytes;
    enum Way { to_host, from_host, between_devices } way;
};
const Codelet& copy_codelet();

/// The lists of a schedule while workers execute them, all at the same time. In each memory one of
/// them is the task that has the data there; those of other CPU workers are tasks without data,
/// which that one submits when it begins. No list ends before all have been executed. So all begin
/// or none does, and nobody waits for a worker that has yet to execute what comes before. (Of CUDA
/// devices alone all lists have been enqueued then, the end of each behind those of all others.)
class Together
{
public:
    struct List {
        int worker; // StarPU's number
        int leader; // the list whose task has its data
        BatchRecipe recipe;
    };
    Together(std::vector<List>, const char* name);

    const BatchRecipe& recipe(int list) const { return lists_[std::size_t(list)].recipe; }
    int worker(int list) const { return lists_[std::size_t(list)].worker; }

    /// The task of a leader calls it first: it says where its data are, and submits the lists of
    /// other workers that share them.
    void begin(const std::vector<void*>& memory, const BatchHeader&);
    /// Where a buffer of this leader's task lies; it waits until that task has begun.
    void* memory(int leader, int buffer) const;
    ListProgress& progress() { return progress_; }
    /// Executes a list that is no leader's, on its worker.
    void execute(int list);
    /// A worker says that its list has been executed. A leader then waits until all have been.
    /// Whoever ends last deletes this.
    void end(int list);

    /// The worker of a CUDA device says that its n-th operation has been enqueued, with this event
    /// behind it. Workers of other CUDA devices wait for that in event().
    void enqueued(int list, std::uint32_t n, void* event);
    template <class Meanwhile>
    void* event(const ListWait& wait, Meanwhile meanwhile) const
    {
        enqueued_.await(wait, meanwhile);
        return events_[std::size_t(wait.list)][wait.operations];
    }
    bool is_cuda(int list) const { return !events_[std::size_t(list)].empty(); }
    bool is_on_cuda() const; ///< all lists are
    int lists() const { return int(lists_.size()); }
    std::uint32_t length(int list) const { return lengths_[std::size_t(list)]; }

private:
    struct Begun {
        std::atomic<bool> is = false;
        std::vector<void*> memory{};
        BatchHeader header{};
    };
    std::vector<List> lists_;
    const char* name_;
    std::vector<std::uint32_t> lengths_;
    std::vector<Begun> begun_;
    ListProgress progress_, enqueued_;
    std::vector<std::vector<void*>> events_; // of CUDA's lists, behind each operation
    std::atomic<int> running_;
};

/// Executes a recipe: CPU kernels one after another; CUDA and OpenCL kernels enqueued in order. Its
/// performance model knows recipes of other operations, or of another number of iterations, apart.
starpu_codelet& batch_codelet();

} // namespace qcd

#pragma once
// What was executed when: one stream of events, from tasks of one operation and from inside those
// of many. Times of kernels are sums over it.

#include "runtime/work.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

struct CUstream_st; // cudaStream_t without CUDA's headers
struct starpu_task;

namespace qcd
{

struct Codelet;
struct TaskHeader;
class Graph;

/// Where an operation comes from: what its submission knows of it.
struct Origin {
    const Codelet* codelet = nullptr;
    long number = 0;      ///< of the operations of its graph, as they were submitted; -1: none
    int part = -1;        ///< Data::part of what it writes; -1: of none
    int iteration = -1;   ///< of Graph::Iteration; -1: outside of one
    unsigned present = 0; ///< a bit for each slot that is filled
    double submitted = 0;
    Work work{};
    int layers = 1; ///< Manner
};

/// One execution of an operation, or of a task of many operations that was not looked into: that
/// has no codelet, number and iteration of its first operation and the work of all. Times are seconds
/// since the Events began; on devices begin and end of its kernels there. 104 bytes: a million is
/// 104 MB.
struct Event {
    Origin origin;
    int worker = -1;   ///< StarPU's number
    int batch = -1;    ///< which of its worker's tasks of many operations it is in: it was ready
                       ///< when that was; -1: a task of its own
    bool idle = false; ///< it did nothing (Operation::idle): no work, and not in times()
    double ready = 0;  ///< its data were made, and StarPU could choose a worker
    double started = 0, ended = 0;
    // Known with Keep::all alone.
    float fetching = 0;  ///< seconds until it started in which its worker waited for its data;
                         ///< StarPU says so in sessions with devices
    float predicted = 0; ///< seconds that the scheduler expected; 0: it asked no model
};

/// All calls of one operation on one kind of worker.
struct KernelTime {
    std::string name;   ///< of the codelet
    std::string worker; ///< "CPU", "CUDA" or "OpenCL"
    long count = 0;
    double seconds = 0; ///< of one worker: what several do at the same time counts for each
    Work work;
};

/// Records the operations of a graph during its life. In tasks of one operation there are two looks
/// at the clock, in those of many one between operations. On CUDA devices a look is an event of
/// CUDA's, which keeps kernels from overlapping; on OpenCL devices it waits for the queue.
class Events
{
public:
    enum class Keep { sums, all };
    static constexpr std::size_t most_kept = 1 << 21;
    /// No task is under way. sums: only times() is kept, memory is bounded. every: of the tasks of
    /// many operations each worker looks into every k-th; all has an Event for each of the others.
    explicit Events(Graph&, Keep = Keep::sums, int every = 1);
    /// Waits for all tasks.
    ~Events();
    Events(const Events&) = delete;
    Events& operator=(const Events&) = delete;

    /// Since it was asked last; waits for all tasks.
    std::vector<KernelTime> times();
    /// The events that Keep::all has kept, in the order in which each worker executed them, workers
    /// ascending; of each worker the first most_kept.
    std::vector<Event> take();
    /// Did no worker have more events than could be kept?
    bool kept_all() const;

    /// A simulated task of one operation has ended, while StarPU profiles.
    void add_simulated(const starpu_task&, const TaskHeader&);

    /// Seconds on the clock that events have: simulated ones in a simulation (simulation.hpp),
    static double now();
    /// and there, when this began.
    double began() const { return began_; }

private:
    friend class Laps;
    struct OfWorker;
    void wait();

    Graph& graph_;
    Keep keep_;
    int every_;
    double began_;
    std::vector<std::unique_ptr<OfWorker>> workers_; // each touched by its own thread alone
};

/// The looks at the clock of one task, on its worker. Without Events it does nothing.
class Laps
{
public:
    enum class Task { of_one, of_many };
    Laps(Events*, Task, double ready);                         ///< on cores
    Laps(Events*, Task, double ready, CUstream_st*);           ///< what is enqueued there
    Laps(Events*, Task, double ready, void (*finish_queue)()); ///< OpenCL
    ~Laps();
    Laps(const Laps&) = delete;
    Laps& operator=(const Laps&) = delete;

    /// The operation has been executed, or enqueued, since the lap before. slots: its memory, on
    /// cores, which tells whether it did nothing (Operation::idle).
    void lap(const Origin&, void* const* slots = nullptr);
    /// On a CUDA device: what is enqueued next begins in this stream, behind what it waits for.
    void next_in(CUstream_st*);
    /// On cores: since the lap before its worker has waited for another.
    void waited()
    {
        if (worker_) last_ = Events::now();
    }

private:
    bool begin(Events*, Task);
    void look_at_task();
    void free_last_event();
    void end(const Origin&, bool idle);

    Events* events_ = nullptr;
    Events::OfWorker* worker_ = nullptr; // null: nobody looks
    int batch_ = -1;
    bool as_a_whole_ = false; // it is one Event
    Origin whole_{.number = -1};
    double ready_ = 0, last_ = 0;
    float fetching_ = 0, predicted_ = 0;
    void (*finish_queue_)() = nullptr;
    CUstream_st* stream_ = nullptr;
    void* last_event_ = nullptr; // cudaEvent_t
};

} // namespace qcd

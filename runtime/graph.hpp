#pragma once
// Submission: the one place where tasks are inserted and data are waited for.

#include "runtime/codelet.hpp"
#include "runtime/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace qcd
{

/// A piece of data in the graph. The worker, if any, is the only one that executes the tasks that
/// write it.
struct Data {
    starpu_data_handle_t handle = nullptr;
    int worker = -1;
    void* peer = nullptr; ///< in place of a handle: memory that linked workers write
    int part = -1;        ///< of the graph's parts, which one's it is; -1: none's
    explicit operator bool() const { return handle != nullptr || peer != nullptr; }
};

/// What fills a slot of a call; nothing in a slot that is absent. How it is used stands in the
/// operation's table.
struct Operand {
    Operand() = default;
    Operand(const Data& d, bool update = false) : data(d), updated(update) {}
    Data data{};
    bool updated = false; ///< read and written, whatever the table says
};
inline Operand updated(const Data& d) { return {d, true}; }

/// An operation's use of data.
struct Access {
    Data data;
    starpu_data_access_mode mode;
};

/// An operation that was submitted, and is in no task yet.
struct Submitted {
    Origin origin;
    std::vector<Access> slots;
    std::vector<char> args;
    Manner manner;
};

class GraphRecord;
class Lists;
struct MadeLists;
class Ranks;
class StampRecord;

/// Operations on data, executed as a plan says. Data are made with it and do not outlive it. Of one
/// thread; several graphs may live at the same time, and StarPU longer than all of them.
class Graph
{
public:
    /// layers: every operation is executed so many times, on data that lie one behind the other in
    /// what fills its slots (Manner).
    explicit Graph(Plan, int layers = 1);
    /// As another is executed and observed, but that nothing is replayed.
    Graph(const Graph& like, int layers);
    /// Waits for all tasks.
    ~Graph();
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    const Plan& plan() const { return plan_; }
    int layers() const { return layers_; }
    /// The worker of part i of n; that of data of no part is of part 0 of 1. -1: any.
    int owner(int part, int parts) const;

    /// Submits one operation. `args` (args_size bytes) is copied; operands in the order of its
    /// slots; those missing at the end are absent. Returns at once. Throws DeviceError when no
    /// worker of this run can execute it, Error when a slot that is not optional is not filled.
    void submit_task(const Codelet&, const void* args, const std::vector<Operand>&);
    /// As above for an operation's own argument struct.
    template <class Args>
    void submit(const Codelet& c, const Args& args, const std::vector<Operand>& operands)
    {
        submit_task(c, static_cast<const void*>(&args), operands);
    }

    /// The next sweep over a field goes the other way than the one before: what is submitted from
    /// now on goes through its part downwards if this says so. It meets first what the caches have
    /// left, and the bits are the same.
    bool turn() { return downwards_ = !downwards_; }

    /// While one lives, and the plan collects, operations become one task, which goes to StarPU at
    /// flush(), when something is waited for, or at the scope's end; one that is left by an
    /// exception drops what it has not submitted. Scopes nest: an inner one begins with a flush.
    /// With linked workers there is a task for each, and without a scope operations are collected,
    /// too.
    class Batch
    {
    public:
        explicit Batch(Graph&);
        ~Batch() noexcept(false);
        Batch(const Batch&) = delete;
        Batch& operator=(const Batch&) = delete;
        /// In traces the task is called by the number of its Iterations.
        void flush() { graph_.flush(); }

    private:
        Graph& graph_;
        int exceptions_;
    };

    /// Tags what is submitted during its life with an iteration number, for events and traces.
    /// Where the plan is replayed the outermost one is a period: at its end it is known whether its
    /// operations have a schedule.
    class Iteration
    {
    public:
        Iteration(Graph&, int number);
        ~Iteration() noexcept(false);
        Iteration(const Iteration&) = delete;
        Iteration& operator=(const Iteration&) = delete;

    private:
        Graph& graph_;
        int exceptions_;
    };

    /// Are iterations collected now, to be one task of a worker?
    bool collects() const { return plan_.kind == PlanKind::replay ? replays_ : plan_.collects(); }

    /// Waits until the host may use the data; release them soon.
    void acquire(const Data&, starpu_data_access_mode);
    void release(const Data&);
    /// Brings the data to the memory of this worker, and waits. STARPU_R: a copy; STARPU_RW: they
    /// are nowhere else then, as if a task there had written them.
    void fetch(const Data&, int worker, starpu_data_access_mode);
    Ranks& ranks() const;
    /// To another rank, which receives it into data of its own of the same size: with this mark of
    /// Ranks::tags(). Returns at once; it is in the order of the operations that use the data.
    /// what: its name in traces, up to 7 characters.
    void send(const Data&, int to, long tag, const char* what);
    void receive(const Data&, int from, long tag, const char* what);
    /// The operations that read what was received over this channel (Ranks::open()) are submitted.
    void done_reading(long tag);
    /// From now on the data are only read, and nothing that writes them is under way. StarPU then
    /// looks for no dependencies on them. Where it does, one that is built with FxT keeps a record
    /// of each task that has read them, 32 bytes, until the next one writes them.
    void make_constant(const Data&);
    /// Waits for the tasks that use the data and forgets the handle; its contents are lost.
    void unregister(const Data&);
    /// Waits for all tasks; only set-up and the end of a solve do.
    void wait();

    /// StarPU tasks submitted so far.
    long tasks() const { return tasks_; }
    /// Operations submitted so far, and their work.
    long operations() const { return operations_; }
    const Work& work() const { return work_; }

    /// From now on tasks are shown to the observer, if there is one. No task is under way.
    void observe(TaskObserver* observer) { observer_ = observer; }
    /// From now on operations are recorded as events; null: they are not.
    void record(Events* events) { events_ = events; }
    /// From now on it is recorded what waits for what; null: it is not.
    void record_tasks(GraphRecord* record) { record_ = record; }
    /// From now on it is recorded when StarPU did what with a task of one operation; null: it is
    /// not.
    void record_stamps(StampRecord* stamps) { stamps_ = stamps; }

private:
    struct NewTask;
    void flush();
    void insert_collected();
    Lists& collected(int worker);
    void bring(const std::vector<MadeLists>&);
    Data place_of(const Data&, unsigned memory);
    void is_written(const Data&);
    void drop();
    void insert(const NewTask&);
    void insert_alone(const Origin&, const void* args, const std::vector<Access>&, const Manner&,
                      Placed* = nullptr);
    void insert_pending(std::vector<Placed>* lesson);
    void end_period();

    Plan plan_;
    int layers_;
    bool downwards_ = false;
    int open_batches_ = 0;
    int batch_iterations_ = 0;                        // marked since the last flush
    std::map<int, std::unique_ptr<Lists>> collected_; // by worker; -1: of any, or of all
    long tasks_ = 0, operations_ = 0;
    Work work_;
    TaskObserver* observer_ = nullptr;
    Events* events_ = nullptr;
    GraphRecord* record_ = nullptr;
    StampRecord* stamps_ = nullptr;
    int iteration_ = -1; // of what is submitted now
    // State of a plan that is replayed.
    int open_iterations_ = 0;
    std::vector<Submitted> pending_; // of the iteration that is submitted now
    bool interrupted_ = false;       // a part of it is in tasks already
    bool replays_ = false;           // the last iteration had a schedule
    // Where tasks run together in several memories (lists.hpp).
    std::map<std::pair<starpu_data_handle_t, unsigned>, starpu_data_handle_t> places_;
    std::unordered_map<starpu_data_handle_t, std::uint64_t> brought_; // to memories, a bit each
};

} // namespace qcd

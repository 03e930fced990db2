#pragma once
// When StarPU did what with the tasks of a graph, as it says itself: for what the runtime costs
// (docs/compare.md).

#include <cstddef>
#include <deque>
#include <vector>

struct starpu_task;

namespace qcd
{

class Graph;

/// When StarPU did what with a task of one operation, in seconds on its clock. A step that StarPU did
/// not do, as it may be with the driver of a device, has the time of the step before.
struct TaskStamps {
    long number = 0; ///< of Origin
    int worker = -1; ///< StarPU's number
    double submitted = 0;
    double push_began = 0, push_ended = 0;   ///< all that it depends on was there: to the scheduler
    double pop_began = 0, pop_ended = 0;     ///< its worker asked the scheduler, and got it
    double fetch_began = 0, fetch_ended = 0; ///< its data
    double started = 0, ended = 0;           ///< its function
    double told = 0; ///< its data were released, and who waits for it was told
};

/// Records them during its life, in which StarPU profiles, of at most so many tasks: about 100
/// bytes each.
class StampRecord
{
public:
    static constexpr std::size_t most_tasks = 1 << 19;
    /// No task is under way.
    explicit StampRecord(Graph&, std::size_t most = most_tasks);
    /// Waits for all tasks.
    ~StampRecord();
    StampRecord(const StampRecord&) = delete;
    StampRecord& operator=(const StampRecord&) = delete;

    static double now(); ///< seconds on StarPU's clock
    /// The stamps of all tasks in the order of their submission. Waits for the tasks.
    std::vector<TaskStamps> take();
    bool whole() const { return whole_; } ///< there were no more tasks
    /// Seconds that the thread that submits spent in the calls that hand tasks to StarPU.
    double submitting() const { return submitting_; }

    // The graph says what it submits.
    void submits(starpu_task&, long number);
    void has_submitted(double seconds) { submitting_ += seconds; }

private:
    struct Watched {
        TaskStamps stamps;
        const starpu_task* task;
    };
    static void look(void* watched);

    Graph& graph_;
    std::size_t most_;
    std::deque<Watched> tasks_{}; // of which none moves when it grows
    bool whole_ = true;
    double submitting_ = 0;
};

} // namespace qcd

#pragma once
// The kernels that StarPU's CPU workers execute, called again by plain loops: what StarPU's run is
// compared with, in time (runtime overhead) and in bits (generic kernels as the reference of all
// others).

#include "runtime/graph.hpp"

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace qcd
{

/// One executed task.
struct RecordedTask {
    const Codelet* codelet;
    std::vector<char> args;
    Manner manner;
    unsigned present = 0, written = 0; ///< a bit for each slot
    /// Host memory of each slot, which lives as long as its handle, and the bytes there.
    std::array<void*, max_slots> memory{};
    std::array<std::size_t, max_slots> bytes{};
};

/// Records the tasks that CPU workers execute during its life, of a graph that does not collect
/// operations.
class TaskRecorder : public TaskObserver
{
public:
    /// No task may be on its way.
    explicit TaskRecorder(Graph&);
    ~TaskRecorder() override;
    TaskRecorder(const TaskRecorder&) = delete;
    TaskRecorder& operator=(const TaskRecorder&) = delete;
    /// Waits for all tasks, and returns those recorded so far, each after those that it depends on.
    std::vector<RecordedTask> take();

private:
    void before(starpu_task*, void* const* buffers, const TaskHeader&, const void* args) override;

    Graph& graph_;
    std::mutex mutex_; // guards tasks_
    std::vector<RecordedTask> tasks_;
};

/// Recorded tasks in rounds: tasks of one round do not depend on each other, a barrier follows each
/// round. Each thread executes whole tasks, or, where StarPU's workers have several cores, a share
/// of each.
class PlainLoop
{
public:
    enum class Isa { chosen, generic }; ///< of the kernels: what workers use, or plain C++

    PlainLoop(std::vector<RecordedTask> tasks, Isa isa);
    /// StarPU must be idle, and its workers paused (tasks/host_access.hpp) if time counts.
    void run(int threads) const;

private:
    using Round = std::vector<RecordedTask>;
    Isa isa_;
    bool shared_; // whether threads share each task
    std::vector<Round> rounds_;
};

} // namespace qcd

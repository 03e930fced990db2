#include "drivers/bench/plain_loop.hpp"

#include <algorithm>
#include <utility>

namespace qcd
{

namespace
{

RecordedTask describe(starpu_task* task, void* const* buffers, const TaskHeader& header,
                      const void* args)
{
    RecordedTask r{header.origin.codelet, {}, header.manner, {}};
    const char* bytes = static_cast<const char*>(args);
    r.args.assign(bytes, bytes + r.codelet->operation.args_size);
    for (int slot = 0, b = 0; slot < int(r.codelet->slots.size()); ++slot)
        if (header.origin.present >> slot & 1) {
            r.slots[slot] = {reinterpret_cast<void*>(STARPU_VECTOR_GET_PTR(buffers[b])),
                             (STARPU_TASK_GET_MODE(task, b) & STARPU_W) != 0};
            ++b;
        }
    return r;
}

/// For each task the round it belongs to: after all that it reads was written, and before it was
/// overwritten.
std::vector<int> rounds_of(const std::vector<RecordedTask>& tasks)
{
    struct LastUse {
        int read = -1, write = -1;
    };
    std::map<void*, LastUse> uses;
    std::vector<int> rounds;
    for (const RecordedTask& task : tasks) {
        int round = 0;
        for (const auto& s : task.slots)
            if (s.memory)
                round = std::max(
                    {round, uses[s.memory].write + 1, s.written ? uses[s.memory].read + 1 : 0});
        for (const auto& s : task.slots)
            if (s.memory) {
                int& last = s.written ? uses[s.memory].write : uses[s.memory].read;
                last = std::max(last, round);
            }
        rounds.push_back(round);
    }
    return rounds;
}

} // namespace

TaskRecorder::TaskRecorder(Graph& graph) : graph_(graph) { graph.observe(this); }

TaskRecorder::~TaskRecorder()
{
    graph_.wait();
    graph_.observe(nullptr);
}

void TaskRecorder::before(starpu_task* task, void* const* buffers, const TaskHeader& header,
                          const void* args)
{
    const std::lock_guard lock(mutex_);
    tasks_.push_back(describe(task, buffers, header, args));
}

std::vector<RecordedTask> TaskRecorder::take()
{
    graph_.wait();
    return std::exchange(tasks_, {});
}

PlainLoop::PlainLoop(std::vector<RecordedTask> tasks, Isa isa)
    : shared_(std::any_of(tasks.begin(), tasks.end(),
                          [](const RecordedTask& t) { return t.manner.cores > 1; }))
{
    // Within a round by address, so that a thread meets the same tiles in every operation.
    const std::vector<int> rounds = rounds_of(tasks);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const RecordedTask& t = tasks[i];
        Call call{t.codelet,
                  isa == Isa::generic ? t.codelet->kernels.cpu[int(qcd::Isa::generic)]
                                      : t.codelet->cpu,
                  t.args,
                  t.manner.downwards,
                  t.manner.layers,
                  {}};
        for (int s = 0; s < max_slots; ++s) call.memory[s] = t.slots[s].memory;
        rounds_.resize(std::max<std::size_t>(rounds_.size(), rounds[i] + 1));
        rounds_[rounds[i]].push_back(std::move(call));
    }
    for (auto& round : rounds_)
        std::sort(round.begin(), round.end(),
                  [](const Call& a, const Call& b) { return a.memory[0] < b.memory[0]; });
}

void PlainLoop::run_whole(const Round& round)
{
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < round.size(); ++i)
        round[i].kernel(round[i].args.data(), round[i].memory.data(),
                        {.downwards = round[i].downwards, .layers = round[i].layers});
}

void PlainLoop::run_shared(const Round& round, int shares)
{
#pragma omp single
    for (const Call& c : round) zero_what_is_added_to(*c.codelet, c.memory.data(), c.layers);
#pragma omp for schedule(static)
    for (int share = 0; share < shares; ++share)
        for (const Call& c : round)
            c.kernel(c.args.data(), c.memory.data(), {share, shares, c.downwards, c.layers});
}

void PlainLoop::run(int threads) const
{
#pragma omp parallel num_threads(threads)
    for (const Round& round : rounds_)
        if (shared_)
            run_shared(round, threads);
        else
            run_whole(round);
}

} // namespace qcd

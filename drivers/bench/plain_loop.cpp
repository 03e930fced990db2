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
    RecordedTask r{header.origin.codelet, {}, header.manner, header.origin.present};
    const char* bytes = static_cast<const char*>(args);
    r.args.assign(bytes, bytes + r.codelet->operation.args_size);
    for (int slot = 0, b = 0; slot < int(r.codelet->slots.size()); ++slot) {
        if (!(r.present >> slot & 1)) continue;
        const int mode = STARPU_TASK_GET_MODE(task, b) & STARPU_RW;
        if (mode & STARPU_W) r.written |= 1u << slot;
        r.memory[slot] = reinterpret_cast<void*>(STARPU_VECTOR_GET_PTR(buffers[b]));
        r.bytes[slot] = STARPU_VECTOR_GET_NX(buffers[b]) * STARPU_VECTOR_GET_ELEMSIZE(buffers[b]);
        ++b;
    }
    return r;
}

/// The round in which each task runs: after all that it reads was written, and before that is
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
        const auto each_use = [&](const auto& f) {
            for (int slot = 0; slot < max_slots; ++slot)
                if (task.present >> slot & 1)
                    f(uses[task.memory[slot]], (task.written >> slot & 1) != 0);
        };
        each_use([&](const LastUse& last, bool written) {
            round = std::max({round, last.write + 1, written ? last.read + 1 : 0});
        });
        each_use([&](LastUse& last, bool written) {
            int& use = written ? last.write : last.read;
            use = std::max(use, round);
        });
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
    : isa_(isa), shared_(std::any_of(tasks.begin(), tasks.end(),
                                     [](const RecordedTask& t) { return t.manner.cores > 1; }))
{
    // A round is sorted by address, so that a thread meets the same tiles in every operation.
    const std::vector<int> rounds = rounds_of(tasks);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        rounds_.resize(std::max<std::size_t>(rounds_.size(), rounds[i] + 1));
        rounds_[rounds[i]].push_back(std::move(tasks[i]));
    }
    for (Round& round : rounds_)
        std::sort(round.begin(), round.end(), [](const RecordedTask& a, const RecordedTask& b) {
            return a.memory[0] < b.memory[0];
        });
}

void PlainLoop::run(int threads) const
{
    const auto call = [&](const RecordedTask& t, int share, int shares) {
        const CpuKernel kernel =
            isa_ == Isa::generic ? t.codelet->kernels.cpu[int(qcd::Isa::generic)] : t.codelet->cpu;
        kernel(t.args.data(), t.memory.data(),
               {share, shares, t.manner.downwards, t.manner.layers});
    };
#pragma omp parallel num_threads(threads)
    for (const Round& round : rounds_)
        if (shared_) {
#pragma omp single
            for (const RecordedTask& t : round)
                zero_what_is_added_to(*t.codelet, t.memory.data(), t.manner.layers);
#pragma omp for schedule(static)
            for (int share = 0; share < threads; ++share)
                for (const RecordedTask& t : round) call(t, share, threads);
        } else {
#pragma omp for schedule(static)
            for (std::size_t i = 0; i < round.size(); ++i) call(round[i], 0, 1);
        }
}

} // namespace qcd

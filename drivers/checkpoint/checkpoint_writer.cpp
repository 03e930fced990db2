#include "drivers/checkpoint/checkpoint_writer.hpp"

#include "drivers/checkpoint/state_file.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>

namespace qcd
{

CheckpointWriter::CheckpointWriter(std::string file, CheckpointProblem problem,
                                   const cli::CheckpointInterval& interval,
                                   std::function<void(const std::string&)> complain)
    : file_(std::move(file)), problem_(std::move(problem)), interval_(interval),
      complain_(std::move(complain))
{
}

CheckpointWriter::~CheckpointWriter()
{
    if (writing_.valid()) writing_.wait();
}

int CheckpointWriter::pause_in(int begin, int end)
{
    if (interval_.iterations == 0) return Clock::now() - last_ >= interval_.time ? end : 0;
    const long next = (begin / interval_.iterations + 1L) * interval_.iterations;
    return next <= end ? int(next) : 0;
}

void CheckpointWriter::take(const std::function<State()>& state)
{
    const auto begin = Clock::now();
    const int failed = counts_.failed;
    wait();
    if (failed == 0 && counts_.failed > 0)
        complain_(failure_ + "; the solve goes on, and what stood there is kept");
    State s = state();
    iteration_ = s.iterations();
    writing_ = std::async(std::launch::async, [file = file_, problem = problem_, s = std::move(s)] {
        return write_state(file, problem, s);
    });
    last_ = Clock::now();
    counts_.seconds += std::chrono::duration<double>(last_ - begin).count();
}

void CheckpointWriter::wait()
{
    if (!writing_.valid()) return;
    failure_.clear();
    try {
        counts_.bytes = writing_.get();
        counts_.iteration = iteration_;
        ++counts_.written;
    } catch (const std::exception& e) {
        failure_ = fmt::format("{} (checkpoint at iteration {})", e.what(), iteration_);
        ++counts_.failed;
    }
}

std::string CheckpointWriter::finish()
{
    wait();
    return failure_;
}

} // namespace qcd

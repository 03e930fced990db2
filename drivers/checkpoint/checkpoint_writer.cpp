#include "drivers/checkpoint/checkpoint_writer.hpp"

#include "base/error.hpp"
#include "drivers/checkpoint/state_file.hpp"
#include "runtime/ranks.hpp"
#include "tasks/lattice_graph.hpp"

#include <fmt/format.h>

#include <exception>
#include <new>
#include <optional>
#include <utility>

namespace qcd
{

CheckpointWriter::CheckpointWriter(std::string file, CheckpointProblem problem,
                                   const CheckpointInterval& interval,
                                   std::function<void(const std::string&)> complain,
                                   const LatticeGraph* shared)
    : file_(std::move(file)), problem_(std::move(problem)), interval_(interval),
      complain_(std::move(complain)), shared_(shared)
{
}

CheckpointWriter::~CheckpointWriter()
{
    if (writing_.valid()) writing_.wait();
}

int CheckpointWriter::pause_in(int begin, int end)
{
    if (interval_.iterations == 0) return is_due(begin) ? end : 0;
    const long next = (begin / interval_.iterations + 1L) * interval_.iterations;
    return next <= end ? int(next) : 0;
}

/// Ranks ask each other now and then: they wait for the first one.
bool CheckpointWriter::is_due(int begin)
{
    const bool due = Clock::now() - last_ >= interval_.time;
    if (!shared_) return due;
    constexpr int every = 16;
    if (begin / every == asked_) return false;
    asked_ = begin / every;
    return shared_->ranks().from_rank(0, due);
}

/// No rank has one where one of several has no memory for it.
std::optional<std::vector<State>>
CheckpointWriter::states_of(const std::function<std::vector<State>()>& states) const
{
    std::optional<std::vector<State>> s;
    try {
        s = states();
    } catch (const std::bad_alloc&) {
    }
    if (shared_ && shared_->ranks().any(!s)) return std::nullopt;
    return s;
}

/// Writes it, or begins to.
void CheckpointWriter::write(std::vector<State> s)
{
    if (shared_)
        written(write_states(file_, problem_, s, *shared_));
    else
        writing_ =
            std::async(std::launch::async, [file = file_, problem = problem_, s = std::move(s)] {
                return write_states(file, problem, s);
            });
}

void CheckpointWriter::take(int iteration, const std::function<std::vector<State>()>& states)
{
    const auto begin = Clock::now();
    wait_and_complain();
    failure_.clear();
    iteration_ = iteration;
    std::optional<std::vector<State>> s = states_of(states);
    try {
        if (!s) throw std::bad_alloc();
        write(std::move(*s));
    } catch (const std::exception& e) { // also where there is no thread
        fail(e);
    }
    complain();
    last_ = Clock::now();
    counts_.seconds += std::chrono::duration<double>(last_ - begin).count();
}

void CheckpointWriter::wait_and_complain()
{
    wait();
    complain();
}

void CheckpointWriter::complain()
{
    if (has_complained_ || failure_.empty()) return;
    has_complained_ = true;
    complain_(failure_ + "; the solve goes on, and what stood there is kept");
}

void CheckpointWriter::wait()
{
    if (!writing_.valid()) return;
    try {
        written(writing_.get());
    } catch (const std::exception& e) {
        fail(e);
    }
}

void CheckpointWriter::written(std::uint64_t bytes)
{
    counts_.bytes = bytes;
    counts_.iteration = iteration_;
    ++counts_.written;
}

void CheckpointWriter::fail(const std::exception& e)
{
    const bool names_the_file = dynamic_cast<const Error*>(&e);
    failure_ = fmt::format("{}{} (checkpoint at iteration {})", names_the_file ? "" : file_ + ": ",
                           failure_of(e).line, iteration_);
    ++counts_.failed;
}

std::string CheckpointWriter::finish()
{
    wait();
    return failure_;
}

} // namespace qcd

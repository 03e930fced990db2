#include "solver/monitor.hpp"

#include "runtime/ranks.hpp"
#include "runtime/simulation.hpp"
#include "solver/checkpoints.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace qcd
{

Monitor::Monitor(LatticeGraph& graph) : graph_(graph)
{
    for (std::size_t i = 0; i <= late(); ++i) ring_.emplace_back(graph);
}

void Monitor::watch(const SolveControl& control, Graph::Batch& batch, SolveReport so_far)
{
    control_ = &control;
    batch_ = &batch;
    most_ = control.max_iterations;
    unread_.clear();
    full_ = true;
    iterations_ = 0;
    before_ = so_far.iterations;
    closed_ = so_far.converged || so_far.breakdown;
    report_ = std::move(so_far);
}

void Monitor::look_away(int iterations)
{
    control_ = nullptr;
    most_ = iterations;
    closed_ = false;
}

/// What is submitted after convergence, a block or two, stays a part of the solve.
int Monitor::block_size() const
{
    constexpr int first = 8;
    return std::min(graph_.plan().iterations, std::max(first, before_ / 4));
}

/// Iteration k begins a block.
void Monitor::ask_for_pause(int k)
{
    if (!control_->checkpoints) return;
    const int end = std::min(k + block_size(), most_);
    if (const int pause = control_->checkpoints->pause_in(k, end)) most_ = pause;
}

Note Monitor::note(bool residual)
{
    if (!control_) return {};
    if (full_) {
        newest_ = (newest_ + 1) % ring_.size();
        unread_.push_back(newest_);
        place_ = 0;
        full_ = false;
    }
    const Note note{&ring_[newest_], place_};
    place_ += residual;
    return note;
}

bool Monitor::wants(int k)
{
    if (k >= most_ || !control_) return k < most_;
    if (iterations_ == block_size()) {
        batch_->flush();
        look(late());
        full_ = true;
        before_ += iterations_;
        iterations_ = 0;
    }
    if (iterations_ == 0) ask_for_pause(k);
    ++iterations_;
    report_.interrupted = !closed_ && stop_is_wanted(k);
    return !closed_ && !report_.interrupted;
}

/// Several ranks stop at the same iteration: they ask each other at fixed ones, and look at the
/// answer some later, when it has long been there.
bool Monitor::stop_is_wanted(int k)
{
    const bool here = control_->stop && *control_->stop;
    Ranks& ranks = graph_.ranks();
    if (!ranks.several()) return here;
    if (std::exchange(told_, false)) return true;
    constexpr int every = 16, late = 8;
    if (k % every == 0) {
        ranks.ask(here);
        asked_ = true;
    }
    return asked_ && k % every == late && answer();
}

bool Monitor::answer()
{
    asked_ = false;
    return graph_.ranks().answer();
}

void Monitor::look(std::size_t keep)
{
    while (!closed_ && unread_.size() > keep) {
        const solve_history h = ring_[unread_.front()].wait();
        unread_.pop_front();
        for (int i = 0; i < int(h.known); ++i) {
            report_.residual = h.rr[i] == 0 ? 0 : std::sqrt(h.rr[i] / h.bb);
            report_.iterations = int(report_.history.size());
            report_.history.push_back(report_.residual);
            if (control_->progress) control_->progress(report_.iterations, report_.residual);
        }
        report_.converged = h.gate == 1;
        report_.breakdown = h.gate == 2;
        closed_ = h.gate != 0;
    }
}

SolveReport Monitor::report()
{
    const bool interrupted = report_.interrupted;
    if (asked_) told_ = answer(); // for iterations after a pause
    look(0);
    if (is_simulated) report_.iterations = most_; // no history says so
    report_.interrupted = interrupted && !closed_;
    return report_;
}

} // namespace qcd

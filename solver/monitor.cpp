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

void Monitor::watch(const SolveControl& control, Graph::Batch& batch,
                    std::vector<SolveReport> so_far)
{
    control_ = &control;
    batch_ = &batch;
    most_ = control.max_iterations;
    unread_.clear();
    full_ = true;
    iterations_ = 0;
    reports_ = std::move(so_far);
    before_ = 0;
    for (const SolveReport& r : reports_) before_ = std::max(before_, r.iterations);
    open_ = int(std::count_if(reports_.begin(), reports_.end(), is_open));
    interrupted_ = false;
}

void Monitor::look_away(int iterations)
{
    control_ = nullptr;
    most_ = iterations;
    open_ = graph_.rhs();
}

/// What is submitted after convergence, a block or two, stays a part of the solve.
int Monitor::block_size() const
{
    constexpr int first = 8;
    if (!graph_.collects()) return 1;
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
    if (iterations_ >= block_size()) {
        batch_->flush();
        look(late());
        full_ = true;
        before_ += iterations_;
        iterations_ = 0;
    }
    if (iterations_ == 0) ask_for_pause(k);
    ++iterations_;
    interrupted_ = !closed() && stop_is_wanted(k);
    return !closed() && !interrupted_;
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
    while (!closed() && unread_.size() > keep) {
        look_at(ring_[unread_.front()]);
        unread_.pop_front();
    }
}

void Monitor::look_at(const Scalars<solve_history>& histories)
{
    std::size_t seen = 0; // residuals of those that are open
    for (const SolveReport& r : reports_)
        if (is_open(r)) seen = r.history.size();
    for (int i = 0; i < graph_.rhs(); ++i)
        if (is_open(reports_[i])) look_at(histories.wait(i), reports_[i]);
    show_progress(seen);
    open_ = int(std::count_if(reports_.begin(), reports_.end(), is_open));
}

void Monitor::look_at(const solve_history& h, SolveReport& report)
{
    for (int i = 0; i < int(h.known); ++i) {
        report.residual = h.rr[i] == 0 ? 0 : std::sqrt(h.rr[i] / h.bb);
        report.iterations = int(report.history.size());
        report.history.push_back(report.residual);
    }
    report.converged = h.gate == QCD_GATE_CONVERGED;
    report.breakdown = h.gate == QCD_GATE_BREAKDOWN;
    report.pauses = h.gate == QCD_GATE_UPDATE_DUE;
}

/// Several right-hand sides show the largest residual of those that had not ended before.
void Monitor::show_progress(std::size_t seen) const
{
    if (!control_->progress) return;
    for (std::size_t i = seen;; ++i) {
        double largest = -1;
        for (const SolveReport& r : reports_)
            if (i < r.history.size() && !(r.history[i] <= largest)) largest = r.history[i];
        if (largest < 0) return;
        control_->progress(int(i), largest);
    }
}

std::vector<SolveReport> Monitor::reports()
{
    if (asked_) told_ = answer(); // for iterations after a pause
    look(0);
    for (SolveReport& r : reports_) {
        if (is_simulated) r.iterations = most_; // no history says so
        r.interrupted = interrupted_ && is_open(r);
    }
    return reports_;
}

} // namespace qcd

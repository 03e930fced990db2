#include "solver/scalar_chain.hpp"

#include <algorithm>
#include <cmath>

namespace qcd
{

ScalarChain::ScalarChain(LatticeGraph& graph, const SolveControl& control)
    : graph_(graph), control_(&control), batch_(graph), unread_{0}
{
    for (std::size_t i = 0; i <= late(); ++i) ring_.emplace_back(graph);
}

/// What is submitted after convergence, a block or two, stays a part of the solve.
int ScalarChain::block_size() const
{
    constexpr int first = 8;
    return std::min(graph_.plan().iterations, std::max(first, before_ / 4));
}

void ScalarChain::start(const LatticeSums& bb, bool rho_is_rr, double rounding)
{
    coefficients({QCD_STAGE_START, rho_is_rr, control_->tol, rounding}, nullptr, &bb, nullptr,
                 now());
}

void ScalarChain::step(int stage, const LatticeSums* a, const LatticeSums* b)
{
    const Coefficients* previous = nullptr;
    if (full_) {
        previous = &now();
        newest_ = (newest_ + 1) % ring_.size();
        unread_.push_back(newest_);
        full_ = false;
    }
    coefficients({stage, 0, 0, 0}, previous, a, b, now());
}

bool ScalarChain::begin_iteration()
{
    if (iterations_ == block_size()) {
        batch_.flush();
        look(late());
        full_ = true;
        before_ += iterations_;
        iterations_ = 0;
    }
    ++iterations_;
    report_.interrupted = !closed_ && control_->stop && *control_->stop;
    return !closed_ && !report_.interrupted;
}

void ScalarChain::look(std::size_t keep)
{
    while (!closed_ && unread_.size() > keep) {
        const auto c = ring_[unread_.front()].wait();
        unread_.pop_front();
        for (int i = 0; i < int(c[QCD_KNOWN]); ++i) {
            const double rr = c[QCD_RESIDUALS + i];
            if (report_.history.empty()) bb_ = rr;
            report_.residual = bb_ == 0 ? 0 : std::sqrt(rr / bb_);
            report_.iterations = int(report_.history.size());
            report_.history.push_back(report_.residual);
            if (control_->progress) control_->progress(report_.iterations, report_.residual);
        }
        report_.converged = c[QCD_GATE] == 1;
        report_.breakdown = c[QCD_GATE] == 2;
        closed_ = c[QCD_GATE] != 0;
    }
}

SolveReport ScalarChain::report()
{
    const bool interrupted = report_.interrupted;
    look(0);
    report_.interrupted = interrupted && !closed_;
    return report_;
}

} // namespace qcd

#include "solver/scalar_chain.hpp"

#include <cmath>

namespace qcd
{

void ScalarChain::start(const LatticeSums& bb, bool rho_is_rr)
{
    coefficients({QCD_STAGE_START, rho_is_rr, control_->tol}, nullptr, &bb, nullptr,
                 ring_[newest_]);
}

void ScalarChain::step(int stage, const LatticeSums* a, const LatticeSums* b, bool residual_known)
{
    const Coefficients& previous = ring_[newest_];
    newest_ = (newest_ + 1) % ring_.size();
    coefficients({stage, 0, 0}, &previous, a, b, ring_[newest_]);
    if (residual_known) unread_.push_back(newest_);
}

bool ScalarChain::look(std::size_t keep)
{
    while (!closed_ && unread_.size() > keep) {
        const auto c = ring_[unread_.front()].wait();
        unread_.pop_front();
        if (report_.history.empty()) bb_ = c[QCD_RR];
        report_.residual = bb_ > 0 ? std::sqrt(c[QCD_RR] / bb_) : 0;
        report_.iterations = int(report_.history.size());
        report_.history.push_back(report_.residual);
        report_.converged = c[QCD_GATE] == 1;
        report_.breakdown = c[QCD_GATE] == 2;
        closed_ = c[QCD_GATE] != 0;
        if (control_->progress) control_->progress(report_.iterations, report_.residual);
    }
    report_.interrupted = !closed_ && control_->stop && *control_->stop;
    return closed_ || report_.interrupted;
}

SolveReport ScalarChain::report()
{
    const bool interrupted = report_.interrupted;
    look(0);
    report_.interrupted = interrupted && !closed_;
    return report_;
}

} // namespace qcd

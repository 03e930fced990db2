#include "solver/coarse_operator.hpp"

#include "base/error.hpp"
#include "codelets/multigrid/coarse_hop/slots.h"

namespace qcd
{

CoarseOperator::CoarseOperator(LatticeGraph& graph, Precision precision,
                               const CoarseMatrices& matrices)
    : graph_(graph), precision_(precision), matrices_(matrices)
{
}

void CoarseOperator::operator()(const SpinorField& x, const SpinorField& y, const Dots& dots,
                                const ScalarData* gate) const
{
    matrices_.hop(x, y, QCD_ALL_TERMS, nullptr, gate);
    if (dots.sums) matrices_.products(y, dots.u, *dots.sums, gate);
}

void CoarseOperator::adjoint(const SpinorField&, const SpinorField&, const Dots&,
                             const ScalarData*) const
{
    throw Error("the operator of a coarse level has no adjoint here");
}

void CoarseOperator::residual(const SpinorField& x, const SpinorField& b,
                              const SpinorField& out) const
{
    matrices_.hop(x, out, QCD_ALL_TERMS, &b, nullptr);
}

} // namespace qcd

#include "solver/operator.hpp"

#include "tasks/updates.hpp"

namespace qcd
{

using namespace spin;

std::unique_ptr<CloverField> clover_of(LatticeGraph& graph, Precision precision,
                                       const DiracParameters& p, CloverField::Inverse inverse)
{
    if (p.csw == 0) return nullptr;
    return std::make_unique<CloverField>(graph, precision, p.kappa * p.csw, p.mubar, inverse);
}

DiracOperator::DiracOperator(const Wilson& wilson, DiracParameters parameters, Matrix matrix)
    : wilson_(&wilson), parameters_(parameters), diagonal_(parameters.mubar, wilson.has_clover()),
      matrix_(matrix)
{
    if (of_even_sites(matrix)) odd_.emplace(wilson.graph(), wilson.arithmetic(), Sites::odd);
}

void DiracOperator::residual(const SpinorField& x, const SpinorField& b,
                             const SpinorField& out) const
{
    apply(x, out, diagonal_, -1 * g(), {.u = &b}, nullptr, true);
}

void DiracOperator::relax(const SpinorField& x, const SpinorField& b, const SpinorField& out,
                          const ScalarData* gate) const
{
    const double kappa = parameters_.kappa, mubar = parameters_.mubar;
    const bool half = of_even_sites(matrix_);
    if (half)
        wilson_->hop(
            diagonal_.divided({.parity = 1, .out = &*odd_, .psi = &x, .b = real(1), .gate = gate}));
    for (const int parity : parities(sites()))
        wilson_->hop({.parity = parity,
                      .out = &out,
                      .psi = half ? &*odd_ : &x,
                      .b = real(half ? kappa * kappa : kappa),
                      .v = mubar == 0 ? nullptr : &x, // 1 - T
                      .a = {0, -mubar, 0, mubar},
                      .add_u = true,
                      .dots = {.u = &b},
                      .gate = gate});
}

void DiracOperator::apply(const SpinorField& x, const SpinorField& y, const SiteDiagonal& diagonal,
                          const chiral& g, const Dots& dots, const ScalarData* gate,
                          bool add_u) const
{
    const double kappa = parameters_.kappa;
    if (of_even_sites(matrix_)) {
        wilson_->hop(
            diagonal.divided({.parity = 1, .out = &*odd_, .psi = &x, .b = real(1), .gate = gate}));
        wilson_->hop(diagonal.times_v({.parity = 0,
                                       .out = &y,
                                       .psi = &*odd_,
                                       .b = -kappa * kappa * g,
                                       .v = &x,
                                       .a = g,
                                       .add_u = add_u,
                                       .dots = dots,
                                       .gate = gate}));
        return;
    }
    for (int parity : {0, 1})
        wilson_->hop(diagonal.times_v({.parity = parity,
                                       .out = &y,
                                       .psi = &x,
                                       .b = -kappa * g,
                                       .v = &x,
                                       .a = g,
                                       .add_u = add_u,
                                       .dots = dots,
                                       .gate = gate}));
}

void DiracOperator::prepare(const SpinorField& b, const SpinorField& out) const
{
    if (!of_even_sites(matrix_)) return scale(g(), b, out);
    if (const auto inverse = diagonal_.inverse())
        scale(*inverse, b, *odd_);
    else // by a hop of which nothing is taken: once a solve, in place of an operation of its own
        wilson_->hop(
            diagonal_.divided({.parity = 1, .out = &*odd_, .psi = &b, .v = &b, .a = real(1)}));
    wilson_->hop(
        {.parity = 0, .out = &out, .psi = &*odd_, .b = parameters_.kappa * g(), .v = &b, .a = g()});
}

void DiracOperator::reconstruct(const SpinorField& solution, const SpinorField& b,
                                const SpinorField& x) const
{
    if (!of_even_sites(matrix_)) return scale(real(1), solution, x);
    wilson_->hop(diagonal_.divided({.parity = 1,
                                    .out = &x,
                                    .psi = &solution,
                                    .b = real(parameters_.kappa),
                                    .v = &b,
                                    .a = real(1)}));
    scale(real(1), solution, x, Sites::even);
}

void residual(const Wilson& wilson, DiracParameters p, const SpinorField& x, const SpinorField& b,
              const std::array<const SpinorField*, 2>& out, const LatticeSums& sums)
{
    const SiteDiagonal diagonal(p.mubar, wilson.has_clover());
    for (int parity : {0, 1})
        wilson.hop(diagonal.times_v({.parity = parity,
                                     .out = out[parity],
                                     .psi = &x,
                                     .b = real(p.kappa),
                                     .v = &x,
                                     .a = real(-1),
                                     .add_u = true,
                                     .dots = {.which = Dots::norm2, .u = &b, .sums = &sums}}));
}

} // namespace qcd

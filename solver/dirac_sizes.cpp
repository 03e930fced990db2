#include "solver/dirac_solve.hpp"
#include "solver/multigrid.hpp"
#include "solver/solver.hpp"

#include <algorithm>

namespace qcd
{

namespace
{

std::size_t clover_bytes(const Tiling& tiling, Precision precision, const DiracProblem& p)
{
    return p.dirac.csw == 0 ? 0 : CloverField::bytes(tiling, precision, inverse_of(p));
}

/// Bytes of an operator that keeps links and a clover term of its own in this precision.
std::size_t operator_bytes(const Tiling& tiling, Precision precision, const DiracProblem& p,
                           int rhs)
{
    return GaugeField::bytes(tiling, precision, p.links) +
           clover_bytes(tiling, plain_precision(precision), p) +
           rhs * (2 * Halo::bytes(tiling, precision) +
                  (p.even_odd ? SpinorField::bytes(tiling, precision, Sites::odd) : 0));
}

Sites sites_of(const DiracProblem& p) { return p.even_odd ? Sites::even : Sites::all; }

/// The most bytes of a preconditioner.
std::size_t inner_bytes(const Tiling& tiling, const DiracProblem& p, int rhs)
{
    const Precision precision = p.sloppy.value_or(p.precision);
    if (p.preconditioning->multigrid)
        return Multigrid::bytes(tiling, precision, *p.preconditioning->multigrid, rhs) +
               operator_bytes(tiling, precision, p, rhs);
    const auto& method = p.preconditioning->method;
    const int vectors = 2 + (method ? needs_of(*method, p.preconditioning->restart).vectors : 1);
    return rhs * vectors * SpinorField::bytes(tiling, precision, sites_of(p)) +
           operator_bytes(tiling, precision, p, rhs);
}

/// Bytes of a method with what it needs besides the operator, b, x, r and y.
std::size_t stage_bytes(const Tiling& tiling, const DiracProblem& p, const Stage& stage, int rhs)
{
    if (!stage.lower)
        return rhs * needs_of(stage.method, p.restart).vectors *
               SpinorField::bytes(tiling, p.precision, sites_of(p));
    return rhs * MixedSolver::bytes(tiling, *stage.lower, sites_of(p), stage.method, p.restart) +
           operator_bytes(tiling, *stage.lower, p, rhs);
}

} // namespace

long DiracSolve::tasks_an_iteration(const Tiling& tiling, const DiracProblem& p)
{
    const MethodNeeds n = needs_of(p.method, p.restart);
    const int tiles = tiling.tile_count(), parts = p.even_odd ? tiles : 2 * tiles;
    constexpr int hops = 2; // of an application: to the other parity and back, or to each
    return long(n.applications) * hops * tiles * (tiling.any_cut() ? 2 : 1) + n.updates * parts +
           n.scalars + n.sums * LatticeSums::merges(parts);
}

std::size_t DiracSolve::state_bytes(const Extents& lattice, const DiracProblem& p)
{
    constexpr std::size_t reals = 24;
    return std::size_t(needs_of(p.method, p.restart).of_state) * reals * real_bytes(p.precision) *
           std::size_t(volume(lattice)) / (p.even_odd ? 2 : 1);
}

std::size_t DiracSolve::bytes(const Tiling& tiling, const DiracProblem& p, bool to_tolerance,
                              int rhs)
{
    const std::size_t half = SpinorField::bytes(tiling, p.precision, Sites::even);
    const std::size_t vector = p.even_odd ? half : 2 * half;
    std::size_t method = 0;
    for (const Stage& stage : stages_of(p)) {
        method = std::max(method, stage_bytes(tiling, p, stage, rhs));
        if (!to_tolerance) break;
    }
    if (p.preconditioning) method += inner_bytes(tiling, p, rhs);
    const std::size_t fields =
        2 * vector + (p.even_odd ? half : 0) /* H_oe */ + 4 * half /* b and x */ +
        2 * (Halo::bytes(tiling, p.precision) + Halo::bytes(tiling, checking(p.precision)));
    return GaugeField::bytes(tiling, p.precision, p.links) + clover_bytes(tiling, p.precision, p) +
           method + rhs * fields;
}

} // namespace qcd

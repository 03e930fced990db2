#pragma once
// The ladder's solver: Conjugate Residual as its report writes it, line by line, each line tasks of
// its own on all tiles, without even-odd preconditioning.

#include "solver/operator.hpp"
#include "solver/report.hpp"
#include "tasks/ladder_dirac.hpp"
#include "tasks/ladder_vectors.hpp"

namespace qcd
{

struct LadderProblem {
    DiracParameters dirac{};
    bool antiperiodic = true;
    Precision precision = Precision::f64;
    LadderStencil stencil;
    LadderThread thread = LadderThread::element; ///< of vector operations
};

/// D x = b in the ladder's layouts. CR solves Q x = gamma5 b, or (Q + i mubar) x = gamma5 b
/// (docs/conventions.md); each iteration applies D once. The lattice, and its graph, live longer.
class LadderSolve
{
public:
    /// Reads the links; b is to be set.
    LadderSolve(const LadderLattice&, const LadderProblem&, GaugeSource&);

    /// Throws Error where its squares are no ordinary numbers (lattice/source_scale.hpp).
    void set_source(const SpinorSource&);

    /// From x = 0; all is done when it returns. alpha, beta and the sums that they are made of are
    /// data of the graph. The host waits for |r|^2 alone: with a tolerance for that of each
    /// iteration before the next, as the report's host code does; without, three iterations late.
    /// What has converged goes on from its x until the true residual has, too (TrueResidualGoal).
    SolveReport solve(const SolveControl&);

    /// |b - D x| / |b| by the version's own D; 0 for b = 0. p and A p are lost.
    double residual();
    /// b - D x, which residual() has left.
    const LadderField& difference() const { return p_; }

    const LadderField& x() const { return x_; }
    const LadderDirac& dirac() const { return D_; }

    /// Bytes of its fields and links, and of what the version needs besides (LadderDirac).
    static std::size_t bytes(const Extents&, int tiles, const LadderProblem&);

private:
    void A(const LadderField& in, const LadderField& out) const;
    void begin();
    void iterate(const LadderScalar& rr);

    const LadderLattice& lattice_;
    LadderProblem problem_;
    LadderDirac D_;
    LadderVectors blas_;
    LadderField b_, x_, r_, p_, Ap_, Ar_;
    LadderScalar rar_, rar_before_, ApAp_, alpha_, beta_, bb_;
};

} // namespace qcd

#pragma once
// The study's solver: Conjugate Residual as its report writes it, line by line, each line tasks of
// its own on all tiles, without even-odd preconditioning.

#include "solver/operator.hpp"
#include "solver/report.hpp"
#include "tasks/study_dirac.hpp"
#include "tasks/study_vectors.hpp"

namespace qcd
{

struct StudyProblem {
    DiracParameters dirac{};
    bool antiperiodic = true;
    Precision precision = Precision::f64;
    StudyStencil stencil;
    StudyThread thread = StudyThread::element; ///< of vector operations
};

/// D x = b in the study's layouts. CR solves Q x = gamma5 b, or (Q + i mubar) x = gamma5 b
/// (docs/conventions.md); each iteration applies D once. The lattice, and its graph, live longer.
class StudySolve
{
public:
    /// Reads the links; b is to be set.
    StudySolve(const StudyLattice&, const StudyProblem&, GaugeSource&);

    /// Throws Error where its squares are no ordinary numbers (lattice/source_scale.hpp).
    void set_source(const SpinorSource&);

    /// From x = 0; all is done when it returns. alpha, beta and the sums that they are made of are
    /// data of the graph. The host waits for |r|^2 alone: with a tolerance for that of each
    /// iteration before the next, as the report's host code does; without, three iterations late.
    /// What has converged goes on from its x until the true residual has, too (TrueResidualGoal).
    SolveReport solve(const SolveControl&);

    /// |b - D x| / |b| by the version's own D; 0 for b = 0. p and A p are lost.
    double residual();
    /// After residual(): b - D x.
    const StudyField& difference() const { return p_; }

    const StudyField& x() const { return x_; }
    const StudyDirac& dirac() const { return D_; }

    /// Bytes of its fields and links, and of what the version needs besides (StudyDirac).
    static std::size_t bytes(const Extents&, int tiles, const StudyProblem&);

private:
    void A(const StudyField& in, const StudyField& out) const;
    void begin();
    void iterate(const StudyScalar& rr);

    const StudyLattice& lattice_;
    StudyProblem problem_;
    StudyDirac D_;
    StudyVectors blas_;
    StudyField b_, x_, r_, p_, Ap_, Ar_;
    StudyScalar rar_, rar_before_, ApAp_, alpha_, beta_, bb_;
};

} // namespace qcd

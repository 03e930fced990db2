#include "solver/ladder_cr.hpp"

#include "lattice/source_scale.hpp"
#include "lattice/true_residual.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

namespace qcd
{

namespace
{

/// |r|^2 of the iterations whose residual nobody has looked at yet, and what was seen.
class Residuals
{
public:
    Residuals(Graph& graph, const SolveControl& control, double bb)
        : control_(control), tol_(control.tol),
          late_(control.tol > 0 ? 0 : std::size_t(std::max(3, 2 * graph.plan().iterations))),
          bb_(bb)
    {
        for (std::size_t i = 0; i <= late_; ++i) ring_.emplace_back(graph);
    }
    /// For the next iteration's.
    const LadderScalar& next() { return ring_[submitted_++ % ring_.size()]; }
    void note(double rr)
    {
        report_.iterations = int(report_.history.size());
        report_.residual = bb_ > 0 ? std::sqrt(rr / bb_) : 0;
        report_.history.push_back(report_.residual);
        report_.converged = report_.residual <= tol_;
        report_.breakdown = !std::isfinite(report_.residual);
        if (control_.progress) control_.progress(report_.iterations, report_.residual);
    }
    /// Is there to be one more iteration?
    bool wanted()
    {
        look(late_);
        report_.interrupted = !ended() && control_.stop && *control_.stop;
        return !ended() && !report_.interrupted && submitted_ < control_.max_iterations;
    }
    /// What has converged goes on, to this tolerance.
    void tighten(double tol)
    {
        tol_ = tol;
        report_.converged = false;
    }
    const SolveReport& report()
    {
        look(0);
        return report_;
    }

private:
    bool ended() const { return report_.converged || report_.breakdown; }
    void look(std::size_t keep)
    {
        while (std::size_t(submitted_ - looked_) > keep) {
            const ladder_sum rr = ring_[looked_++ % ring_.size()].wait();
            note(rr.re);
        }
    }
    const SolveControl& control_;
    double tol_;
    std::size_t late_;
    double bb_;
    std::deque<LadderScalar> ring_;
    int submitted_ = 0, looked_ = 0;
    SolveReport report_;
};

} // namespace

LadderSolve::LadderSolve(const LadderLattice& lattice, const LadderProblem& problem,
                         GaugeSource& gauge)
    : lattice_(lattice), problem_(problem),
      D_(lattice, problem.precision, problem.stencil, gauge, problem.antiperiodic),
      blas_(lattice, problem.precision, problem.thread), b_(lattice, problem.precision),
      x_(lattice, problem.precision), r_(lattice, problem.precision),
      p_(lattice, problem.precision), Ap_(lattice, problem.precision),
      Ar_(lattice, problem.precision), rar_(lattice.graph()), rar_before_(lattice.graph()),
      ApAp_(lattice.graph()), alpha_(lattice.graph()), beta_(lattice.graph()), bb_(lattice.graph())
{
}

/// gamma5 D
void LadderSolve::A(const LadderField& in, const LadderField& out) const
{
    using spin::operator*;
    D_(in, out, spin::gamma5() * SiteDiagonal(problem_.dirac.mubar).matrix(),
       -problem_.dirac.kappa * spin::gamma5());
}

void LadderSolve::set_source(const SpinorSource& source)
{
    const Extents& l = lattice_.extents();
    require_usual_range(largest_real(source, {{}, l}), problem_.precision,
                        "versions of the ladder");
    b_.fill(source);
}

void LadderSolve::begin()
{
    blas_.xcopy(r_, p_);       // p = r
    A(p_, Ap_);                // Ap = A p
    blas_.xdot(r_, Ap_, rar_); // (r|Ar)
}

/// rr: becomes |r|^2
void LadderSolve::iterate(const LadderScalar& rr)
{
    blas_.xnrm2(Ap_, ApAp_);             // |Ap|^2
    blas_.quotient(rar_, ApAp_, alpha_); // alpha = (r|Ar)^* / |Ap|^2
    blas_.xaxpy(+1, &alpha_, p_, x_);    // x = x + alpha p
    blas_.xaxpy(-1, &alpha_, Ap_, r_);   // r = r - alpha Ap
    blas_.xnrm2(r_, rr);                 // |r|^2
    A(r_, Ar_);                          // Ar = A r
    std::swap(rar_, rar_before_);
    blas_.xdot(r_, Ar_, rar_);                // (r|Ar)
    blas_.quotient(rar_, rar_before_, beta_); // beta = (r|Ar)^* / (r|Ar)_before
    blas_.xscal(beta_, p_);                   // p = beta p
    blas_.xaxpy(+1, nullptr, r_, p_);         // p = r + p
    blas_.xscal(beta_, Ap_);                  // Ap = beta Ap
    blas_.xaxpy(+1, nullptr, Ar_, Ap_);       // Ap = Ar + Ap
}

SolveReport LadderSolve::solve(const SolveControl& control)
{
    Graph& graph = lattice_.graph();
    blas_.clear(x_);                // x = 0
    D_(b_, r_, spin::gamma5(), {}); // r = gamma5 b
    begin();
    blas_.xnrm2(r_, bb_);
    const double bb = bb_.wait().re;
    Residuals residuals(graph, control, bb);
    residuals.note(bb);
    TrueResidualGoal goal(control.tol);
    int k = 1;
    for (long besides = 1;; besides += 2) { // applications of D that are not of an iteration
        {
            Graph::Batch batch(graph);
            for (; residuals.wanted(); ++k) {
                {
                    const Graph::Iteration mark(graph, k);
                    iterate(residuals.next());
                }
                if (k % graph.plan().iterations == 0) batch.flush();
            }
        }
        graph.wait();
        SolveReport report = residuals.report();
        report.operator_applications = report.iterations + besides;
        if (control.tol == 0 || !report.converged || report.iterations >= control.max_iterations)
            return report;
        const double true_residual = residual(); // p = b - D x
        blas_.xnrm2(x_, ApAp_);
        const double x_over_b = bb > 0 ? std::sqrt(ApAp_.wait().re / bb) : 0;
        const std::optional<double> tol =
            goal.next(report.residual, true_residual,
                      {problem_.dirac.kappa, problem_.dirac.mubar, problem_.dirac.csw,
                       rounding_unit(problem_.precision), report.iterations, x_over_b});
        if (!tol) return report;
        residuals.tighten(*tol);
        D_(p_, r_, spin::gamma5(), {}); // r = gamma5 (b - D x)
        begin();
    }
}

double LadderSolve::residual()
{
    D_(x_, Ap_, SiteDiagonal(problem_.dirac.mubar).matrix(), spin::real(-problem_.dirac.kappa));
    blas_.xcopy(b_, p_);
    blas_.xaxpy(-1, nullptr, Ap_, p_);
    blas_.xnrm2(p_, ApAp_);
    blas_.xnrm2(b_, bb_);
    const double rr = ApAp_.wait().re, bb = bb_.wait().re;
    return bb > 0 ? std::sqrt(rr / bb) : 0;
}

std::size_t LadderSolve::bytes(const Extents& l, int tiles, const LadderProblem& p)
{
    constexpr int vectors = 6; // b, x, r, p, Ap, Ar
    return vectors * LadderField::bytes(l, p.precision) +
           LadderDirac::bytes(l, tiles, p.precision, p.stencil.version);
}

} // namespace qcd

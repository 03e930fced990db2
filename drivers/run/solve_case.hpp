#pragma once
// A problem with its data, laid out as a plan says: by today's kernels, or by a version of the
// ladder's.

#include "drivers/plan/run_plan.hpp"
#include "drivers/run/run_report.hpp"
#include "runtime/session.hpp"
#include "solver/dirac_solve.hpp"

#include <functional>
#include <memory>

namespace qcd
{

/// A solve by today's kernels.
class Case
{
public:
    /// Reads the links and the source, of the first right-hand side.
    Case(const DiracProblem&, const RunPlan&, GaugeSource&, const SpinorSource&);
    DiracSolve& solve() { return solve_; }
    LatticeGraph& graph() { return graph_; }

private:
    LatticeGraph graph_; // first: what it has ends before it
    DiracSolve solve_;
};

/// A solve by today's kernels or by a version of the ladder.
class SolveCase
{
public:
    virtual ~SolveCase() = default;
    virtual Graph& graph() = 0;
    /// The graph, where it is of today's kernels. Throws Error.
    virtual LatticeGraph& lattice_graph() = 0;
    virtual void set_source(const SpinorSource&, int rhs) = 0; ///< which lives as long as this
    virtual void set_x(const SpinorSource&, int rhs) = 0;
    /// Solves for all right-hand sides.
    virtual std::vector<SolveReport> solve(const SolveControl&, Guess) = 0;
    /// Goes on from states of this problem. Throws Error.
    virtual std::vector<SolveReport> resume(const std::vector<State>&, const SolveControl&) = 0;
    /// prepare() does what has to come before the iterations, which iterate() makes, for timing.
    virtual void prepare() = 0;
    virtual int iterate(const SolveControl&) = 0; ///< returns how many were made

    /// Visits x; with several ranks, on the first one.
    virtual void visit_x(const std::function<void(const Coord&, const double x[24])>&, int rhs) = 0;
    /// Residual and solution, of x alone; where r.rhs are the right-hand sides, of each of these,
    /// too.
    virtual void fill_solution(RunReport& r) = 0;
    virtual void fill_solution(RunReport&, int rhs) = 0; ///< of one
    /// What multigrid does on each level, after a solve; of another method nothing.
    virtual void measure_levels(RunReport&) {}
    /// What the stencil is, where it is a version's.
    virtual std::optional<StencilReport> stencil(const Session&) const = 0;
    /// GB/s of y <- x + beta y on all workers, with which each of the kernels is compared, on its kind
    /// of worker; 0: b = 0, or there is none. What was solved is overwritten.
    virtual double compare_with_triad(std::vector<KernelRate>&, const WorkerCounts&) = 0;
};

/// Reads the links and the source. options.method.links() is chosen. vectors: of multigrid; null:
/// none are kept.
class KeptVectors;
std::unique_ptr<SolveCase> make_case(const RunSpec&, const RunPlan&, GaugeSource&,
                                     const SpinorSource&,
                                     std::shared_ptr<KeptVectors> vectors = nullptr);

} // namespace qcd

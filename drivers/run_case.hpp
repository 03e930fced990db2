#pragma once
// One way of running a solve: what `solve`, `bench` and `--split` execute, and compare.

#include "drivers/plan/run_plan.hpp"
#include "drivers/problem.hpp"
#include "drivers/run_report.hpp"
#include "runtime/session.hpp"
#include "solver/dirac_solve.hpp"

namespace qcd
{

class RunObserver;

/// A problem with its data, laid out as a plan says.
class Case
{
public:
    /// Reads the links and the source.
    Case(const DiracProblem&, const RunPlan&, GaugeSource&, const SpinorSource&);
    void set_source(const SpinorSource& source) { solve_.set_source(source); }
    DiracSolve& solve() { return solve_; }
    LatticeGraph& graph() { return graph_; }

private:
    LatticeGraph graph_; // first: what it has ends before it
    DiracSolve solve_;
};

/// Solves for the source that the case has, once, and verifies x: fills what a report says of that.
void solve_once(RunReport&, const cli::SolveOptions&, Case&);

/// Sets the case up, solves it as often as the options say, verifies the solution and compares the
/// kernels with a vector update: fills what a report says of all that. RunObserver: null, or told
/// of the solves. guess: null, or what each solve begins with. The solution is saved if the options
/// ask for it.
void run_case(RunReport&, const cli::SolveOptions&, const Session&, const RunPlan&, ObservedGauge&,
              const SpinorSource&, RunObserver*, const SpinorSource* guess = nullptr);

} // namespace qcd

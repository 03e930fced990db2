#include "solver/dirac_problem.hpp"

namespace qcd
{

std::vector<Stage> stages_of(const DiracProblem& p)
{
    std::vector<Stage> all;
    if (p.preconditioning && p.preconditioning->multigrid) {
        all.push_back({p.method, {}, p.preconditioning->multigrid->most_outer_iterations});
        if (p.precision == Precision::f64) all.push_back({Method::bicgstab, Precision::f32});
        all.push_back({Method::bicgstab});
        return all;
    }
    if (is_mixed(p)) all.push_back({p.method, p.sloppy});
    if (is_mixed(p) && p.sloppy == Precision::f16) all.push_back({p.method, Precision::f32});
    all.push_back({p.method});
    if (p.method == Method::cr) all.push_back({Method::cg});
    return all;
}

std::optional<std::size_t> next_stage(const std::vector<Stage>& stages, std::size_t at,
                                      const SolveReport& r, int most)
{
    if (r.converged || r.interrupted || r.iterations >= most) return std::nullopt;
    if (stages[at].most) return at + 1;
    for (std::size_t next = at + 1; next < stages.size(); ++next) {
        const bool is_other_method = stages[next].method != stages[at].method;
        if (stages[next].lower) return next; // what has broken down may have by rounding
        if (is_other_method == r.breakdown) return next;
    }
    return std::nullopt;
}

SolveReport joined(const SolveReport& first, const SolveReport& more)
{
    SolveReport both = first;
    for (int i = 1; i <= more.iterations; ++i) both.history.push_back(more.history[i]);
    for (const ReliableUpdate& u : more.updates)
        both.updates.push_back({first.iterations + u.iteration, u.residual});
    both.residual = more.residual;
    both.iterations += more.iterations;
    both.operator_applications += more.operator_applications;
    both.preconditioner_applications += more.preconditioner_applications;
    both.converged = more.converged;
    both.interrupted = more.interrupted;
    both.breakdown = more.breakdown;
    return both;
}

} // namespace qcd

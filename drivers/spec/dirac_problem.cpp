#include "drivers/spec/dirac_problem.hpp"

#include <algorithm>

namespace qcd
{

DiracParameters dirac_of(const ProblemSpec& p) { return {kappa_of(p), p.mubar(), p.csw()}; }

namespace
{

MultigridParameters multigrid_of(const MethodSpec& m)
{
    MultigridParameters p{.smoothing = m.precondition()->iterations};
    if (m.mg_blocks()) p.blocks = *m.mg_blocks();
    if (m.mg_vectors()) p.vectors = *m.mg_vectors();
    if (m.mg_first()) p.first_iterations = *m.mg_first();
    if (m.mg_setup()) p.refinements = *m.mg_setup();
    if (m.mg_cycle()) p.cycle_iterations = *m.mg_cycle();
    if (m.mg_coarse()) p.coarse_iterations = *m.mg_coarse();
    if (m.mg_tol()) p.coarse_tolerance = *m.mg_tol();
    return p;
}

std::optional<Preconditioning> preconditioning_of(const MethodSpec& m)
{
    if (!m.precondition()) return std::nullopt;
    const auto& [method, iterations] = *m.precondition();
    Preconditioning p{.iterations = iterations, .domain = m.domain()};
    if (is_multigrid(m)) p.multigrid = multigrid_of(m);
    p.restart = method == "mr" ? 1 : std::min(iterations, most_restart);
    for (const Method other : {Method::cr, Method::cg, Method::bicgstab, Method::gcr})
        if (method == to_string(other)) p.method = other;
    if (method == "mr") p.method = Method::gcr;
    return p;
}

} // namespace

DiracProblem problem_of(const RunSpec& s)
{
    const MethodSpec& m = s.method;
    return {.dirac = dirac_of(s.problem),
            .antiperiodic = s.problem.antiperiodic(),
            .method = m.solver().value(),
            .even_odd = m.even_odd().value(),
            .precision = m.precision(),
            .links = m.links().value(),
            .sloppy = m.sloppy(),
            .sloppy_drop =
                m.sloppy_drop().value_or(default_sloppy_drop(m.sloppy().value_or(m.precision()))),
            .restart = m.restart().value_or(default_restart),
            .preconditioning = preconditioning_of(m)};
}

LadderProblem ladder_problem_of(const RunSpec& s)
{
    const LadderVersion& v = *s.method.ladder();
    return {.dirac = dirac_of(s.problem),
            .antiperiodic = s.problem.antiperiodic(),
            .precision = s.method.precision(),
            .stencil = {v, s.method.multiple().value_or(default_multiple)},
            .thread = v.has(QCD_LADDER_FINE) ? LadderThread::element : LadderThread::spinor};
}

LinkStorage default_links(const GaugeSource& gauge, Precision precision)
{
    return precision == Precision::f64 && gauge.third_rows_are_completed() ? LinkStorage::two_rows
                                                                           : LinkStorage::full;
}

} // namespace qcd

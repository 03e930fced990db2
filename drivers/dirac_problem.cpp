#include "drivers/dirac_problem.hpp"

#include <algorithm>

namespace qcd
{

DiracParameters dirac_of(const cli::ProblemOptions& o) { return {o.kappa, o.mubar, o.csw}; }

namespace
{

std::optional<Preconditioning> preconditioning_of(const cli::SolveOptions& o)
{
    if (!o.precondition) return std::nullopt;
    const auto& [method, iterations] = *o.precondition;
    Preconditioning p{.iterations = iterations, .domain = o.domain};
    p.restart = method == "mr" ? 1 : std::min(iterations, most_restart);
    for (const Method m : {Method::cr, Method::cg, Method::bicgstab, Method::gcr})
        if (method == cli::to_string(m)) p.method = m;
    if (method == "mr") p.method = Method::gcr;
    return p;
}

} // namespace

DiracProblem problem_of(const cli::SolveOptions& o)
{
    return {.dirac = dirac_of(o.problem),
            .antiperiodic = o.problem.antiperiodic,
            .method = o.method,
            .even_odd = o.even_odd,
            .precision = o.precision,
            .links = o.links.value(),
            .sloppy = o.sloppy,
            .sloppy_drop =
                o.sloppy_drop.value_or(default_sloppy_drop(o.sloppy.value_or(o.precision))),
            .restart = o.restart.value_or(default_restart),
            .preconditioning = preconditioning_of(o)};
}

StudyProblem study_problem_of(const cli::SolveOptions& o)
{
    const StudyVersion& v = *o.stencil;
    return {.dirac = dirac_of(o.problem),
            .antiperiodic = o.problem.antiperiodic,
            .precision = o.precision,
            .stencil = {v, o.multiple.value_or(cli::default_multiple)},
            .thread = v.has(QCD_STUDY_FINE) ? StudyThread::element : StudyThread::spinor};
}

LinkStorage default_links(const GaugeSource& gauge, Precision precision)
{
    return precision == Precision::f64 && gauge.third_rows_are_completed() ? LinkStorage::two_rows
                                                                           : LinkStorage::full;
}

} // namespace qcd

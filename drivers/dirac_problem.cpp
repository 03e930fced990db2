#include "drivers/dirac_problem.hpp"

namespace qcd
{

DiracParameters dirac_of(const cli::ProblemOptions& o) { return {o.kappa, o.mubar, o.csw}; }

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
                o.sloppy_drop.value_or(default_sloppy_drop(o.sloppy.value_or(o.precision)))};
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

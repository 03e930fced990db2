#include "drivers/run/with_baseline.hpp"

#include "base/text.hpp"
#include "baseline/baseline.hpp"
#include "drivers/plan/command.hpp"
#include "drivers/run/problem.hpp"
#include "drivers/run/solution_summary.hpp"
#include "drivers/run/spinor_files.hpp"
#include "lattice/box.hpp"
#include "program/complain.hpp"
#include "program/progress.hpp"
#include "program/stop.hpp"
#include "program/stopwatch.hpp"
#include "runtime/machine_probe.hpp"

#include <optional>

namespace qcd
{

namespace
{

/// |x|^2, (b|x) and the digest of a baseline solution.
template <class Real>
RunReport::Solution summarise(const baseline::Engine<Real>& engine, const SpinorSource& source,
                              const Extents& l)
{
    SolutionSummary summary(sizeof(Real));
    for_each_site(l, [&](const Coord& c) {
        double x[24], b[24];
        engine.solution_site(c, x);
        source.site(c, b);
        summary.add_site(x, b);
    });
    return summary.result();
}

template <class Real>
void add_solution(const baseline::Engine<Real>& engine, const Extents& l, SpinorWriter& file)
{
    for_each_site(l, [&](const Coord& c) {
        double x[24];
        engine.solution_site(c, x);
        file.add_site(x);
    });
}

template <class Real>
RunReport solve_in(const RunSpec& o, ObservedGauge& gauge, const SpinorSource& source)
{
    RunReport r;
    r.problem = describe(o.problem, gauge, source, o.method.precision());
    describe_run(r, o);
    baseline::Problem p{};
    p.lattice = gauge.extents();
    p.kappa = kappa_of(o.problem);
    p.mubar = o.problem.mubar();
    p.antiperiodic = o.problem.antiperiodic();
    p.even_odd = *o.method.even_odd();
    p.solver = to_string(*o.method.solver());
    p.tol = o.method.iterations() ? 0 : *o.method.tolerance();
    p.max_iterations = *o.method.max_iterations();
    p.exact_iterations = o.method.iterations().value_or(-1);
    p.interrupt = &stop_requested;
    std::optional<Progress> progress;
    p.progress = [&](int iteration, double residual) { progress->update(iteration, residual); };
    const MachineFacts facts = probe_machine();
    p.threads =
        o.execution.engine() == Engine::sequential ? 1 : o.execution.cpus().value_or(facts.cores);
    r.workers.cpu = p.threads;
    note(crowding("threads", p.threads, "hardware threads", facts.threads, facts),
         o.output.quiet());
    r.command = equivalent_command(o, nullptr, {}, p.threads);
    Stopwatch clock;
    announce_memory(baseline::Engine<Real>::bytes(p) + gauge.bytes(), facts, o.output, one_rank());
    if (o.output.dry_run()) return r;
    baseline::Engine<Real> engine(p, gauge);
    r.problem.observables = gauge.complete();
    r.seconds.setup = clock.lap();
    for (int i = 0; goes_on(i, o.execution.repeat()); ++i) {
        progress.emplace(p.tol, o.method.iterations().value_or(p.max_iterations), o.output.quiet());
        const baseline::Result s = engine.solve(source);
        progress.reset();
        r.iterations = s.iterations;
        r.operator_applications = s.operator_applications;
        r.residual.iterated = s.iterated_residual;
        r.converged = s.converged;
        r.interrupted = s.interrupted;
        r.breakdown = s.breakdown;
        r.residual_history = s.residual_history;
        r.add_time(s.seconds_solve);
    }
    clock.lap();
    const auto residual = engine.true_residual();
    r.residual.recomputed = residual.relative;
    r.residual.heavy_quark = residual.heavy_quark;
    r.solution = summarise(engine, source, gauge.extents());
    r.seconds.verify = clock.lap();
    save_solution(r, o, one_rank(),
                  [&](SpinorWriter& file) { add_solution(engine, gauge.extents(), file); });
    return r;
}

} // namespace

RunReport solve_with_baseline(const RunSpec& o, ObservedGauge& gauge, const SpinorSource& source)
{
    return o.method.precision() == Precision::f64 ? solve_in<double>(o, gauge, source)
                                                  : solve_in<float>(o, gauge, source);
}

} // namespace qcd

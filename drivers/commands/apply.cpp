#include "drivers/commands/commands.hpp"
#include "drivers/plan/run_plan.hpp"
#include "drivers/run/end_all.hpp"
#include "drivers/run/problem.hpp"
#include "drivers/run/spinor_files.hpp"
#include "drivers/spec/rules.hpp"
#include "lattice/source_scale.hpp"
#include "program/provenance.hpp"
#include "program/stop.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/session.hpp"
#include "solver/operator.hpp"
#include "solver/operator_norms.hpp"

#include <nlohmann/json.hpp>

#include <iostream>

namespace qcd
{

namespace
{

/// Applies all operators to psi = b.
void apply_all(const RunSpec& o, LatticeGraph& graph, ObservedGauge& gauge,
               const SpinorSource& source, ApplyReport& r)
{
    const DiracParameters dirac = dirac_of(o.problem);
    const auto clover =
        clover_of(graph, o.method.precision(), dirac, CloverField::Inverse::on_odd_sites);
    const GaugeField links(graph, o.method.precision(), gauge, o.problem.antiperiodic(),
                           *o.method.links(), clover.get());
    r.problem.observables = gauge.complete();
    const Wilson wilson(graph, links, o.method.precision(), clover.get());
    SpinorField psi(graph, o.method.precision(), Sites::all);
    const int exponent =
        source_exponent(largest_real(graph, source), o.method.precision(), o.method.precision());
    psi.fill(ScaledSource(source, -exponent));
    end_all_if_it_fails(graph.ranks(), [&] {
        r.norms = norms_of(wilson, dirac, psi, [] { stop_if_asked("apply: interrupted"); });
        r.norms.multiply_by_power_of_two(2 * exponent);
    });
}

/// Bytes of the links and the clover term, three fields on all sites, two on the even and one on
/// the odd ones, and faces.
std::size_t bytes_of(const RunSpec& o, const Tiling& tiling)
{
    return GaugeField::bytes(tiling, o.method.precision(), *o.method.links()) +
           (o.problem.csw() == 0 ? 0
                                 : CloverField::bytes(tiling, o.method.precision(),
                                                      CloverField::Inverse::on_odd_sites)) +
           9 * SpinorField::bytes(tiling, o.method.precision(), Sites::even) +
           2 * Halo::bytes(tiling, o.method.precision());
}

} // namespace

int run_apply(ApplySpec spec, Ranks& ranks)
{
    RunSpec& o = spec.run;
    const auto gauge = open_problem_gauge(o.problem, o.output, ranks);
    if (!o.method.links()) o.method.links = default_links(*gauge, o.method.precision());
    const auto source = open_problem_source(o.problem, gauge->extents(), o.output);
    ApplyReport r;
    r.links = reals(*o.method.links());
    r.problem = describe(o.problem, *gauge, *source, o.method.precision());
    MachineFacts facts = probe_machine();
    {
        const Session session(session_of_tasks(o, facts, ranks));
        const Workers workers = workers_of(session);
        note_workers(session.workers(), facts, ranks, o.output.quiet());
        RunSpec solve; // as a graph of the same would be laid out
        solve.problem = o.problem;
        solve.execution = o.execution;
        solve.method.precision = o.method.precision();
        solve.method.links = o.method.links();
        solve.execution.plan = PlanChoice{PlanKind::graph, {}};
        const RunPlan plan = make_plan(completed(solve), gauge->extents(), workers);
        LatticeGraph graph(plan.tiling(), plan, plan.rank_grid);
        const auto bytes = std::size_t(plan.largest_share() * double(bytes_of(o, graph.tiling())));
        facts.available_bytes /= session.ranks().local_size();
        require_memory("apply", bytes + bytes_to_read(*gauge, o.problem), facts);
        require_device_memory(workers, graph.tiling(), o.method.precision(), *o.method.links(),
                              o.problem.csw() != 0, 1, bytes);
        apply_all(o, graph, *gauge, *source, r);
    }
    if (!o.output.quiet()) print_text(std::cout, r);
    write_result({o.output.json()}, to_json(r), o.output);
    return exit_converged;
}

} // namespace qcd

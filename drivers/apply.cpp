#include "drivers/commands.hpp"
#include "drivers/machine/machine.hpp"
#include "drivers/placement/placement.hpp"
#include "drivers/problem.hpp"
#include "solver/operator.hpp"
#include "solver/operator_norms.hpp"

#include <nlohmann/json.hpp>

#include <iostream>

namespace qcd
{

namespace
{

/// Of psi = b.
void apply_all(const cli::ApplyOptions& o, const Tiling& tiling, ObservedGauge& gauge,
               const SpinorSource& source, ApplyReport& r)
{
    const GaugeField links(tiling, o.precision, gauge, o.problem.antiperiodic, *o.links);
    r.problem.observables = gauge.complete();
    const Wilson wilson(tiling, links, o.precision);
    SpinorField psi(tiling, o.precision, Sites::all);
    psi.fill(source);
    r.norms = norms_of(wilson, {o.problem.kappa, o.problem.mubar}, psi,
                       [] { stop_if_asked("apply: interrupted"); });
}

/// Of the links, three fields on all sites, two on the even and one on the odd ones, and faces.
std::size_t bytes_of(const cli::ApplyOptions& o, const Tiling& tiling)
{
    return GaugeField::bytes(tiling, o.precision, *o.links) +
           9 * SpinorField::bytes(tiling, o.precision, Sites::even) +
           2 * Halo::bytes(tiling, o.precision);
}

} // namespace

int run_apply(cli::ApplyOptions o)
{
    const auto gauge = open_problem_gauge(o.problem);
    if (!o.links) o.links = default_links(*gauge, o.precision);
    const auto source = open_spinor_source(o.problem.source, gauge->extents());
    ApplyReport r;
    r.links = reals(*o.links);
    r.problem = describe(o.problem, *gauge, *source, o.precision);
    const MachineFacts facts = probe_machine();
    {
        leave_opencl_out(o.machine);
        const Machine machine(o.machine);
        const Extents tiles = o.machine.tiles.value_or(
            default_tiles(gauge->extents(), machine, real_bytes(o.precision)));
        const Tiling tiling(gauge->extents(), tiles, machine.workers().suits());
        require_memory("apply", bytes_of(o, tiling) + gauge->bytes(), facts);
        require_device_memory(machine, tiling, o.precision, *o.links, bytes_of(o, tiling));
        apply_all(o, tiling, *gauge, *source, r);
    }
    if (!o.output.quiet) print_text(std::cout, r);
    if (!o.output.json.empty()) write_json(o.output.json, to_json(r));
    return exit_converged;
}

} // namespace qcd

#include "drivers/commands.hpp"
#include "drivers/machine.hpp"
#include "drivers/placement.hpp"
#include "drivers/problem.hpp"
#include "solver/operator.hpp"
#include "tasks/updates.hpp"

#include <nlohmann/json.hpp>

#include <iostream>

namespace qcd
{

namespace
{

constexpr const char* interrupted = "apply: interrupted";

/// Applies the operators to psi = b and takes their norms; names as in the report.
void apply_all(const cli::ApplyOptions& o, const Tiling& tiling, ObservedGauge& gauge,
               const SpinorSource& source, ApplyReport& r)
{
    const GaugeField links(tiling, o.precision, gauge, o.problem.antiperiodic, o.links);
    r.problem.observables = gauge.complete();
    const Wilson wilson(tiling, links, o.precision);
    const DiracParameters parameters{o.problem.kappa, o.problem.mubar};
    SpinorField psi(tiling, o.precision, Sites::all), out(tiling, o.precision, Sites::all);
    SpinorField even(tiling, o.precision, Sites::even), out_even(tiling, o.precision, Sites::even);
    psi.fill(source);
    even.fill(source);
    const LatticeSums sums(tiling, Sites::all), even_sums(tiling, Sites::even);

    for (const int parity : {0, 1})
        wilson.hop({.parity = parity, .out = &out, .psi = &psi, .b = spin::real(1)});
    dot(psi, &out, sums); // H psi
    auto s = sums.wait();
    r.norm2_psi = s[3];
    r.norm2_Hpsi = s[2];

    stop_if_asked(interrupted);
    Operator(wilson, parameters, false, false)(psi, out);
    dot(psi, &out, sums);
    s = sums.wait();
    r.psi_D_psi = {s[0], s[1]};
    r.norm2_Dpsi = s[2];

    stop_if_asked(interrupted);
    const Operator Q(wilson, parameters, false, true); // gamma5 D
    Q(psi, out);
    dot(psi, &out, sums);
    s = sums.wait();
    r.psi_g5D_psi = {s[0], s[1]};
    stop_if_asked(interrupted);
    SpinorField normal(tiling, o.precision, Sites::all);
    Q.adjoint(out, normal); // D^dagger gamma5 gamma5 D psi
    dot(normal, nullptr, sums);
    r.norm2_DdagDpsi = sums.wait()[3];

    stop_if_asked(interrupted);
    Operator(wilson, parameters, true, false)(even, out_even);
    dot(even, &out_even, even_sums);
    s = even_sums.wait();
    r.norm2_psi_even = s[3];
    r.norm2_Dhat_even_psi = s[2];
}

/// Of the links, three fields on all sites, two on the even and one on the odd ones, and faces.
std::size_t bytes_of(const cli::ApplyOptions& o, const Tiling& tiling)
{
    return GaugeField::bytes(tiling, o.precision, o.links) +
           9 * SpinorField::bytes(tiling, o.precision, Sites::even) +
           2 * Halo::bytes(tiling, o.precision);
}

} // namespace

int run_apply(const cli::ApplyOptions& o)
{
    const auto gauge = open_problem_gauge(o.problem);
    const auto source = open_spinor_source(o.problem.source, gauge->extents());
    ApplyReport r;
    r.links = reals(o.links);
    r.problem = describe(o.problem, *gauge, *source, o.precision);
    const MachineFacts facts = probe_machine();
    {
        leave_opencl_out(o.machine);
        const Machine machine(o.machine);
        const Extents tiles = o.machine.tiles.value_or(
            default_tiles(gauge->extents(), machine.workers(), facts, real_bytes(o.precision)));
        const Tiling tiling(gauge->extents(), tiles, machine.workers().suits());
        require_memory("apply", bytes_of(o, tiling) + gauge->bytes(), facts);
        require_device_memory(machine, tiling, o.precision, o.links, bytes_of(o, tiling));
        apply_all(o, tiling, *gauge, *source, r);
    }
    if (!o.output.quiet) print_text(std::cout, r);
    if (!o.output.json.empty()) write_json(o.output.json, to_json(r));
    return exit_converged;
}

} // namespace qcd

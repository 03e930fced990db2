#include "drivers/commands.hpp"
#include "drivers/lines.hpp"
#include "drivers/machine/devices.hpp"
#include "drivers/machine/starpu_facts.hpp"
#include "drivers/pion_plot.hpp"
#include "drivers/problem.hpp"
#include "drivers/provenance.hpp"
#include "drivers/run_case.hpp"
#include "drivers/solve.hpp"
#include "drivers/stopwatch.hpp"
#include "lattice/files/spinor_writer.hpp"
#include "lattice/pion_correlator.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>

namespace qcd
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr int sources = 12; // number 3 spin + colour

std::unique_ptr<SpinorSource> source_of(const cli::PropagatorOptions& p, int number,
                                        const Extents& lattice)
{
    return open_spinor_source(fmt::format("{},{},{}", p.source, number / 3, number % 3), lattice);
}

/// Of the distances: the first site, in the order of sites, where the source is.
Coord origin_of(const SpinorSource& source, const Extents& l)
{
    Coord x;
    for (x[3] = 0; x[3] < l[3]; ++x[3])
        for (x[2] = 0; x[2] < l[2]; ++x[2])
            for (x[1] = 0; x[1] < l[1]; ++x[1])
                for (x[0] = 0; x[0] < l[0]; ++x[0]) {
                    double b[24];
                    source.site(x, b);
                    if (std::any_of(b, b + 24, [](double c) { return c != 0; })) return x;
                }
    return {};
}

struct Propagator {
    std::vector<RunReport> solves; ///< of each source
    PionCorrelator pion;
    std::string file;    ///< that it is in; empty: none
    std::string unsaved; ///< why it is in none
};

std::unique_ptr<SpinorWriter> writer_of(const cli::PropagatorOptions& p, const Extents& lattice)
{
    if (p.save.empty()) return nullptr;
    return make_spinor_writer(
        p.save, {.lattice = lattice,
                 .bits = p.solve.precision == Precision::f64 ? 64 : 32,
                 .propagator = true,
                 .info = fmt::format("S of D S = 1, kappa {}, mubar {}, csw {}, source {}",
                                     p.solve.problem.kappa, p.solve.problem.mubar,
                                     p.solve.problem.csw, p.source)});
}

/// What fails does not cost the other solves.
void save(const cli::PropagatorOptions& p, std::unique_ptr<SpinorWriter>& writer, SolveCase& run,
          Propagator& out)
{
    if (!writer) return;
    try {
        run.visit_x([&](const Coord&, const double* x) { writer->add_site(x); });
        if (out.solves.size() < sources) return;
        writer->finish();
        out.file = p.save;
    } catch (const Error& e) {
        out.unsaved = e.what();
        writer.reset();
    }
}

void solve_all(RunReport& r, const cli::PropagatorOptions& p, const RunPlan& plan,
               ObservedGauge& gauge, Propagator& out)
{
    const Extents lattice = gauge.extents();
    auto writer = writer_of(p, lattice);
    Stopwatch clock;
    auto source = source_of(p, 0, lattice);
    const auto run = make_case(p.solve, plan, gauge, *source);
    r.problem.observables = gauge.complete();
    r.seconds.setup += clock.lap();
    for (int number = 0; number < sources; ++number) {
        if (number > 0) {
            auto next = source_of(p, number, lattice);
            run->set_source(*next);
            source = std::move(next);
        }
        RunReport one = r;
        one.residual.requested = p.solve.tolerance;
        solve_once(one, p.solve, *run);
        stop_if_asked("propagator: interrupted: nothing was written");
        run->visit_x([&](const Coord& x, const double* s) { out.pion.add(x, s); });
        out.solves.push_back(std::move(one));
        save(p, writer, *run, out);
    }
}

const RunReport& worst_of(const Propagator& s)
{
    return *std::max_element(
        s.solves.begin(), s.solves.end(),
        [](const RunReport& a, const RunReport& b) { return exit_status(a) < exit_status(b); });
}

std::string or_dash(const std::optional<double>& mass)
{
    return mass ? fmt::format("{:.10f}", *mass) : "-";
}

void print_pion(std::ostream& out, const Propagator& s, int mu)
{
    const char* axis = mu == 3 ? "t" : "z";
    out << fmt::format("  {:>4}  {:>21}  {:>14}\n", axis, fmt::format("C({})", axis), "m_eff a");
    const auto& c = s.pion.along(mu);
    const auto masses = effective_masses(c);
    for (std::size_t d = 0; d < c.size(); ++d)
        out << fmt::format("  {:>4}  {:>21.14e}  {:>14}\n", d, c[d], or_dash(masses[d]));
}

void print_text(std::ostream& out, const RunReport& r, const cli::PropagatorOptions& p,
                const Propagator& s)
{
    out << "D S = 1\n";
    Lines lines(out);
    lines.add("lattice", "{}", to_string(r.problem.lattice));
    lines.add("gauge field", "{}", r.problem.gauge);
    lines.add("quark", "{}", quark(r.problem));
    lines.add("source", "{}", p.source);
    lines.add("plan", "{}", to_string(*r.plan));
    out << fmt::format("sources: |b - D x|/|b| recomputed in double, time of the solve\n"
                       "  {:>4}  {:>6}  {:>10}  {:>10}  {:>9}  {:>16}\n",
                       "spin", "colour", "iterations", "residual", "s", "digest of x");
    for (int n = 0; n < sources; ++n) {
        const RunReport& one = s.solves[n];
        out << fmt::format("  {:>4}  {:>6}  {:>10}  {:>10.3e}  {:>9.3f}  {}{}\n", n / 3, n % 3,
                           one.iterations, one.residual.recomputed, one.repeats.back(),
                           one.solution.digest, one.converged ? "" : "  not converged");
    }
    out << "pion: C = sum of |S|^2 at this distance from the source, cosh effective mass\n";
    for (const int mu : {3, 2}) print_pion(out, s, mu);
    if (!s.file.empty()) lines.add("S saved", "{}", s.file);
}

Json json_of(const PionCorrelator& pion, int mu)
{
    Json masses = Json::array();
    for (const auto& mass : effective_masses(pion.along(mu)))
        masses.push_back(mass ? Json(*mass) : Json());
    return {{"correlator", pion.along(mu)}, {"effective_mass", masses}};
}

Json json_of(const RunReport& r, const cli::PropagatorOptions& p, const Propagator& s)
{
    Json j = to_json(r), out;
    for (const char* key :
         {"lattice", "boundary", "theta", "kappa", "mass", "mubar", "csw", "gauge"})
        out[key] = j[key];
    out["source"] = p.source;
    for (const char* key : {"plan", "solver", "even_odd", "precision", "links", "workers"})
        out[key] = j[key];
    out["tolerance"] = p.solve.tolerance;
    out["sources"] = Json::array();
    for (int n = 0; n < sources; ++n) {
        const RunReport& one = s.solves[n];
        out["sources"].push_back({{"spin", n / 3},
                                  {"colour", n % 3},
                                  {"iterations", one.iterations},
                                  {"residual", one.residual.recomputed},
                                  {"converged", one.converged},
                                  {"verified", one.verification == Verification::passed},
                                  {"digest", one.solution.digest},
                                  {"seconds", one.repeats.back()}});
    }
    out["pion"] = {{"t", json_of(s.pion, 3)}, {"z", json_of(s.pion, 2)}};
    out["file"] = s.file.empty() ? Json() : Json(s.file);
    return out;
}

} // namespace

int run_propagator(cli::PropagatorOptions p)
{
    cli::SolveOptions& o = p.solve;
    const auto gauge = open_problem_gauge(o.problem, o.output);
    const Extents lattice = gauge->extents();
    if (!o.links) o.links = default_links(*gauge, o.precision);
    const auto first = source_of(p, 0, lattice);
    writer_of(p, lattice); // fails before there is anything to lose
    Propagator s{{}, {lattice, origin_of(*first, lattice)}, {}, {}};
    const RunReport r = run_with_starpu(
        o, *gauge, *first, [&](RunReport& report, const Session&, const RunPlan& plan) {
            solve_all(report, p, plan, *gauge, s);
        });
    if (!o.output.quiet) print_text(std::cout, r, p, s);
    if (!o.output.json.empty())
        write_json(o.output.json,
                   with_provenance(json_of(r, p, s), o.output, find_devices(), starpu_build()));
    if (!p.plot.empty()) note(plot_pion(p.plot, s.pion), o.output);
    if (!s.unsaved.empty()) throw Error(s.unsaved);
    return exit_status(worst_of(s));
}

} // namespace qcd

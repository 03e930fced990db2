#include "drivers/propagator/propagator_report.hpp"

#include "base/text.hpp"
#include "program/lines.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace qcd
{

namespace
{

using Json = nlohmann::ordered_json;

std::string or_dash(const std::optional<double>& mass)
{
    return mass ? fmt::format("{:.6f}", *mass) : "-";
}

void print_pion(std::ostream& out, const Propagator& s, int mu)
{
    const char* axis = mu == 3 ? "t" : "z";
    out << fmt::format("  {:>4}  {:>15}  {:>10}\n", axis, fmt::format("C({})", axis), "m_eff a");
    const auto& c = s.pion.along(mu);
    const auto masses = effective_masses(c);
    for (std::size_t d = 0; d < c.size(); ++d)
        out << fmt::format("  {:>4}  {:>15.8e}  {:>10}\n", d, c[d], or_dash(masses[d]));
}

Json json_of(const PionCorrelator& pion, int mu)
{
    Json masses = Json::array();
    for (const auto& mass : effective_masses(pion.along(mu)))
        masses.push_back(mass ? Json(*mass) : Json());
    return {{"correlator", pion.along(mu)}, {"effective_mass", masses}};
}

} // namespace

std::string source_text(const PropagatorSpec& p)
{
    if (!p.smearing()) return p.source();
    return fmt::format("{}, smeared {},{}", p.source(), p.smearing()->width, p.smearing()->steps);
}

const RunReport& worst_of(const Propagator& s)
{
    return *std::max_element(
        s.solves.begin(), s.solves.end(),
        [](const RunReport& a, const RunReport& b) { return exit_status(a) < exit_status(b); });
}

void print_text(std::ostream& out, const RunReport& r, const PropagatorSpec& p, const Propagator& s)
{
    out << "D S = 1\n";
    Lines lines(out);
    lines.add("lattice", "{}", to_string(r.problem.lattice));
    lines.add("gauge field", "{}", r.problem.gauge);
    lines.add("quark", "{}", quark(r.problem));
    lines.add("source", "{}", source_text(p));
    lines.add("method", "{}{}", method(r),
              r.sloppy ? fmt::format(", iterations in {}", r.sloppy->precision) : "");
    print_machine(out, r);
    out << fmt::format("sources: |b - D x|/|b| recomputed in double, time of the solve\n"
                       "  {:>4}  {:>6}  {:>10}  {:>10}  {:>9}  {:>16}\n",
                       "spin", "colour", "iterations", "residual", "s", "digest of x");
    for (int n = 0; n < propagator_sources; ++n) {
        const RunReport& one = s.solves[n];
        out << fmt::format("  {:>4}  {:>6}  {:>10}  {:>10.2e}  {:>9}  {}{}\n", n / 3, n % 3,
                           one.iterations, one.residual.recomputed, figure(one.repeats.back()),
                           one.solution.digest,
                           !one.converged ? "  not converged"
                           : s.kept[n]    ? "  kept"
                                          : "");
    }
    const auto seconds = [&](const auto& of) {
        return std::accumulate(s.solves.begin(), s.solves.end(), 0.0,
                               [&](double sum, const RunReport& one) { return sum + of(one); });
    };
    lines.add("outcome", "{}", outcome(worst_of(s)));
    lines.add("time", "set-up {} s, solves {} s, verification {} s", figure(r.seconds.setup),
              figure(seconds([](const RunReport& one) { return one.repeats.back(); }), 4),
              figure(seconds([](const RunReport& one) { return one.seconds.verify; })));
    out << "pion: C = sum of |S|^2 at this distance from the source, cosh effective mass\n";
    for (const int mu : {3, 2}) print_pion(out, s, mu);
    if (!s.file.empty())
        lines.add("S saved", "{}{}", s.file,
                  s.phases ? fmt::format(", phases {}", place_of(*s.phases)) : "");
}

Json to_json(const RunReport& r, const PropagatorSpec& p, const Propagator& s)
{
    Json j = to_json(r), out;
    for (const char* key :
         {"lattice", "boundary", "theta", "kappa", "mass", "mubar", "csw", "gauge"})
        out[key] = j[key];
    out["source"] = source_text(p);
    for (const char* key : {"plan", "solver", "even_odd", "precision", "links", "workers"})
        out[key] = j[key];
    out["tolerance"] = p.run.method.tolerance().value();
    out["sources"] = Json::array();
    for (int n = 0; n < propagator_sources; ++n) {
        const RunReport& one = s.solves[n];
        out["sources"].push_back({{"spin", n / 3},
                                  {"colour", n % 3},
                                  {"iterations", one.iterations},
                                  {"residual", one.residual.recomputed},
                                  {"converged", one.converged},
                                  {"verified", one.verification == Verification::passed},
                                  {"digest", one.solution.digest},
                                  {"seconds", one.repeats.back()},
                                  {"kept", bool(s.kept[n])}});
    }
    out["pion"] = {{"t", json_of(s.pion, 3)}, {"z", json_of(s.pion, 2)}};
    out["file"] = s.file.empty() ? Json() : Json(s.file);
    out["phases"] = s.phases ? Json(to_string(*s.phases)) : Json();
    return out;
}

} // namespace qcd

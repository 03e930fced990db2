// Iteration counts and solutions of the baseline engine against open.json.

#include "baseline/baseline.hpp"
#include "tests/reference/golden_checks.hpp"
#include "tests/reference/sources.hpp"

#include <catch2/catch.hpp>

using namespace qcd;
using namespace qcd::reference;
using nlohmann::json;

namespace
{

struct Method {
    const char* name; ///< in open.json
    const char* solver;
    bool even_odd;
    int margin; ///< on the number of iterations
};

const Method methods[] = {
    {"CR(g5D)", "cr", false, 2},
    {"CR(g5D+i mubar)", "cr", false, 2},
    {"eo-CR(even)", "cr", true, 2},
    {"CGNR", "cg", false, 1},
    {"eo-CGNR(even)", "cg", true, 1},
    {"BiCGstab", "bicgstab", false, 1},
    {"eo-BiCGstab(even)", "bicgstab", true, 1},
};

/// Where rounding moves the count by more than a few, open.json says so and the count is not
/// tested.
bool stable(const json& spread) { return spread.at(1).get<int>() - spread.at(0).get<int>() <= 2; }

void check_method(const Wilson& w, const Method& method, const json& solve, int threads)
{
    baseline::Problem p{w.lattice, w.kappa, w.mubar, w.antiperiodic};
    p.even_odd = method.even_odd;
    p.solver = method.solver;
    p.threads = threads;
    const Spinors b = det_spinor(w.lattice, 1);
    ArrayGauge gauge(w.lattice, w.links);
    const ArraySource source(w.lattice, b);
    baseline::Engine<double> engine(p, gauge);
    const baseline::Result result = engine.solve(source);

    INFO(method.name);
    CHECK(result.converged);
    const json& spread = solve.at("iterations_spread").at(method.name);
    if (stable(spread)) {
        CHECK(result.iterations >= spread.at(0).get<int>() - method.margin);
        CHECK(result.iterations <= spread.at(1).get<int>() + method.margin);
    }
    const json& history = solve.at("history").at(method.name);
    for (std::size_t k = 0; k < history.size(); ++k) // the margin is for BiCGstab, which jumps
        CHECK(result.residual_history.at(k) ==
              Approx(history[k].get<double>()).epsilon(1e-8).margin(1e-10));
    for (const json& where : solve.at("x_samples")) {
        double site[24];
        engine.solution_site(where.at("xyzt").get<Coord>(), site);
        const int k = where.at("spin").get<int>() * 3 + where.at("colour").get<int>();
        const qcd::reference::Complex x(site[2 * k], site[2 * k + 1]);
        CHECK(std::abs(x - golden_complex(where.at("x"))) < 1e-8);
    }
}

} // namespace

QCD_GOLDEN_CASE("the baseline takes the reference numbers of iterations")
{
    for_golden_runs(folder, [](const Wilson& w, const json& run) {
        const json& solve = run.at("solve").at(golden_basis);
        for (const Method& method : methods)
            if (solve.at("iterations").contains(method.name)) check_method(w, method, solve, 1);
    });
}

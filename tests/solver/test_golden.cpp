// The solvers and operators of the program against the reference numbers (docs/install.md,
// "Tests"). Not compared: numbers in other bases of the gamma matrices than the program's, and
// eigenvalues and determinants of the free operator, which it does not compute.

#include "solver/operator_norms.hpp"
#include "tests/reference/golden_checks.hpp"
#include "tests/solver/tiled_solve.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace qcd;
using namespace qcd::test;
using nlohmann::json;
using ref::check_near;
using ref::golden_basis;
using ref::near;
using ref::sample;

namespace
{

/// Calls check(operator, run) for every run, with a StarPU worker.
template <class Check>
void for_golden_runs(const std::filesystem::path& folder, const Check& check)
{
    use_workers({.cpu = 1}); // tiny tasks: more workers only wait for each other
    ref::for_golden_runs(folder, check);
}

/// Four tiles: every configuration has y and t to cut.
Tiling golden_tiling(const Extents& l) { return Tiling(l, Extents{1, 2, 1, 2}); }

/// The storages of links that double precision has for these: a field from a file in single
/// precision has two rows that are exact, but is not unitary to rounding.
std::vector<LinkStorage> storages_in_double(const ref::Links& all)
{
    std::vector<LinkStorage> s{LinkStorage::full};
    for (const LinkStorage fewer : {LinkStorage::two_rows, LinkStorage::minimal}) {
        double worst = 0;
        for (std::size_t i = 0; i < all.size(); i += 9) {
            links::Link u;
            std::memcpy(&u, &all[i], sizeof u);
            double r[18];
            links::compress(u, fewer, 0x1p-53, r);
            worst = std::max(worst, links::distance(links::expand(r, fewer), u));
        }
        if (worst <= 1e-12) s.push_back(fewer);
    }
    return s;
}

/// The numbers of one run in one precision.
void check_apply(const ref::Wilson& w, const json& expected, Precision precision,
                 LinkStorage links = LinkStorage::full)
{
    const double bound = precision == Precision::f64 ? 1e-12 : 1e-6;
    LatticeGraph graph(golden_tiling(w.lattice));
    const auto gauge = gauge_of(graph, precision, w.links, w.antiperiodic, links);
    const Wilson wilson(graph, *gauge, precision);
    const auto psi = field_of(graph, precision, Sites::all, ref::det_spinor(w.lattice, 1));
    const DiracParameters parameters{w.kappa, w.mubar};

    const OperatorNorms n = norms_of(wilson, parameters, *psi);
    CHECK(n.norm2_psi == near(expected.at("norm2_psi"), bound));
    CHECK(n.norm2_Hpsi == near(expected.at("norm2_Hpsi"), bound));
    CHECK(n.norm2_Dpsi == near(expected.at("norm2_Dpsi"), bound));
    check_near(n.psi_D_psi, expected.at("psi_D_psi"), bound * n.norm2_psi);
    check_near(n.psi_g5D_psi, expected.at("psi_g5D_psi"), bound * n.norm2_psi);
    CHECK(n.norm2_DdagDpsi == near(expected.at("norm2_DdagDpsi"), bound));
    CHECK(n.norm2_psi_even == near(expected.at("norm2_psi_even"), bound));
    CHECK(n.norm2_Dhat_even_psi == near(expected.at("norm2_Dhat_even_psi"), bound));

    const SpinorField out(graph, precision, Sites::all);
    DiracOperator(wilson, parameters, Matrix::D)(*psi, out);
    const ref::Spinors Dpsi = values(out);
    for (const json& where : expected.at("samples"))
        check_near(sample(w, Dpsi, where), where.at("Dpsi"), bound);
}

struct Named {
    std::string name; ///< in the reference numbers
    Setting setting;
};

std::vector<Named> methods_for(double mubar)
{
    const auto f64 = Precision::f64;
    std::vector<Named> m = {{mubar == 0 ? "CR(g5D)" : "CR(g5D+i mubar)", {Method::cr, false, f64}},
                            {"CGNR", {Method::cg, false, f64}},
                            {"BiCGstab", {Method::bicgstab, false, f64}},
                            {"eo-CGNR(even)", {Method::cg, true, f64}},
                            {"eo-BiCGstab(even)", {Method::bicgstab, true, f64}}};
    if (mubar == 0) m.push_back({"eo-CR(even)", {Method::cr, true, f64}});
    return m;
}

/// Counts within 1 (CR: 2), unless rounding alone spreads them: then nothing is said about them.
void check_count(const json& solve, const std::string& name, int iterations)
{
    const json& spread = solve.at("iterations_spread").at(name);
    const int low = spread.at(0), high = spread.at(1),
              margin = name.find("CR(") != std::string::npos ? 2 : 1;
    if (high - low > margin) return;
    CHECK(iterations >= low - margin);
    CHECK(iterations <= high + margin);
}

void check_solve(const ref::Wilson& w, const json& solve, const Named& method)
{
    INFO(method.name);
    TiledSolve problem(w, golden_tiling(w.lattice), method.setting);
    const ref::Spinors b = ref::det_spinor(w.lattice, 1);
    const SolveReport report = problem.solve(b, until(1e-10));
    CHECK(report.converged);
    check_count(solve, method.name, report.iterations);
    const json& history = solve.at("history").at(method.name);
    const json& spread = solve.at("iterations_spread").at(method.name);
    const double bound =
        spread.at(0) == spread.at(1) ? 1e-8 : 1e-7; // rounding shows that early, too
    for (std::size_t k = 0; k < history.size(); ++k)
        CHECK(std::abs(report.history.at(k) / history[k].get<double>() - 1) <= bound);
    CHECK(problem.true_residual() <= 2e-10);
    // x to 1e-10 of its own residual: the condition of D comes in
    const ref::Spinors x = problem.x();
    CHECK(ref::norm2(x) == near(solve.at("norm2_x"), 1e-8));
    check_near(ref::inner(b, x), solve.at("b_x"), 1e-8 * ref::norm2(b));
    check_near(ref::inner(b, ref::gamma5(x)), solve.at("b_g5x"), 1e-8 * ref::norm2(b));
    for (const json& where : solve.at("x_samples"))
        check_near(sample(w, x, where), where.at("x"), 1e-8);
}

/// Solves for the sources of one component each at the origin, and keeps what a propagator's
/// checks need of the twelve solutions.
struct Propagator {
    std::vector<double> norms;                     ///< |x|^2 by spin and colour of the source
    std::array<std::vector<double>, 4> correlator; ///< of the pion, along x, y, z, t
    ref::Spinors first;                            ///< the solution for spin 0 and colour 0

    explicit Propagator(const ref::Wilson& w)
    {
        for (int mu = 0; mu < 4; ++mu) correlator[mu].resize(w.lattice[mu]);
        TiledSolve problem(w, golden_tiling(w.lattice), {Method::cg, true, Precision::f64});
        for (int component = 0; component < 12; ++component) {
            ref::Spinors b(volume(w.lattice) * 12);
            b[component] = 1;
            CHECK(problem.solve(b, until(1e-12)).converged);
            const ref::Spinors x = problem.x();
            norms.push_back(ref::norm2(x));
            for (std::size_t k = 0; k < x.size(); ++k) {
                const Coord site = ref::site_coord(w.lattice, long(k / 12));
                for (int mu = 0; mu < 4; ++mu) correlator[mu][site[mu]] += std::norm(x[k]);
            }
            if (component == 0) first = x;
        }
    }
};

void check_all_near(const std::vector<double>& values, const json& expected)
{
    REQUIRE(values.size() == expected.size());
    for (std::size_t k = 0; k < values.size(); ++k) CHECK(values[k] == near(expected[k], 1e-9));
}

} // namespace

QCD_GOLDEN_CASE("golden: operators, norms and products")
{
    for_golden_runs(folder, [](const ref::Wilson& w, const json& run) {
        for (const LinkStorage links : storages_in_double(w.links)) {
            INFO("links of " << reals(links));
            check_apply(w, run.at("apply").at(golden_basis), Precision::f64, links);
        }
        for (const LinkStorage links :
             {LinkStorage::full, LinkStorage::two_rows, LinkStorage::minimal}) {
            INFO("links of " << reals(links));
            check_apply(w, run.at("apply").at(golden_basis), Precision::f32, links);
        }
    });
}

QCD_GOLDEN_CASE("golden: iteration counts, residual histories and solutions")
{
    for_golden_runs(folder, [](const ref::Wilson& w, const json& run) {
        for (const Named& method : methods_for(w.mubar))
            check_solve(w, run.at("solve").at(golden_basis), method);
    });
}

QCD_GOLDEN_CASE("golden: solutions to 1e-9 when solved to 1e-12")
{
    for_golden_runs(folder, [](const ref::Wilson& w, const json& run) {
        const json& solve = run.at("solve").at(golden_basis);
        for (const LinkStorage links : storages_in_double(w.links)) {
            INFO("links of " << reals(links));
            TiledSolve problem(w, golden_tiling(w.lattice),
                               {Method::cg, true, Precision::f64, links});
            const ref::Spinors b = ref::det_spinor(w.lattice, 1);
            CHECK(problem.solve(b, until(1e-12)).converged);
            const ref::Spinors x = problem.x();
            CHECK(ref::norm2(x) == near(solve.at("norm2_x"), 1e-9));
            check_near(ref::inner(b, x), solve.at("b_x"), 1e-9 * ref::norm2(b));
            for (const json& where : solve.at("x_samples"))
                check_near(sample(w, x, where), where.at("x"), 1e-9);
        }
    });
}

QCD_GOLDEN_CASE("golden: solutions in single precision")
{
    for_golden_runs(folder, [](const ref::Wilson& w, const json& run) {
        if (run.at("solve").at(golden_basis).at("iterations").at("CGNR").get<int>() > 200)
            return; // too close to singular for single precision
        const Setting setting = {w.mubar == 0 ? Method::cr : Method::bicgstab, true,
                                 Precision::f32};
        TiledSolve problem(w, golden_tiling(w.lattice), setting);
        CHECK(problem.solve(ref::det_spinor(w.lattice, 1), until(1e-5)).converged);
        CHECK(problem.true_residual() <= 5e-5);
        CHECK(ref::norm2(problem.x()) ==
              near(run.at("solve").at(golden_basis).at("norm2_x"), 1e-3));
    });
}

QCD_GOLDEN_CASE("golden: pion correlators of point sources")
{
    for_golden_runs(folder, [](const ref::Wilson& w, const json& run) {
        const json& pion = run.at("pion");
        REQUIRE(pion.at("source_xyzt") == json({0, 0, 0, 0}));
        const Propagator s(w);
        check_all_near(s.correlator[3], pion.at("C_t"));
        check_all_near(s.correlator[2], pion.at("C_z"));
        check_all_near(s.correlator[0], pion.at("C_x"));
        CHECK(std::accumulate(s.norms.begin(), s.norms.end(), 0.0) == near(pion.at("sum"), 1e-9));
        std::vector<double> expected;
        for (const json& spin : pion.at(std::string("norm2_x_by_spin_colour_") + golden_basis))
            for (const json& colour : spin) expected.push_back(colour);
        check_all_near(s.norms, expected);
    });
}

QCD_GOLDEN_CASE("golden: propagator of the free field")
{
    use_workers({.cpu = 1});
    const json entries = ref::golden_numbers(folder).at("free");
    REQUIRE(entries.size() == 4);
    for (const json& free : entries) {
        const Extents l = free.at("dims_xyzt").get<Extents>();
        const ref::Wilson w{l, ref::unit_links(l), free.at("kappa"), free.at("mubar"),
                            free.at("bc_t") == -1};
        INFO("kappa " << w.kappa << " bc_t " << free.at("bc_t") << " mubar " << w.mubar);
        const Propagator s(w);
        check_all_near(s.correlator[3], free.at("pion_C_t"));
        const std::string origin = "S_00_at_origin(spin,spin colour-diag) ";
        const auto check_component = [&](const Coord& x, int spin, const std::string& name) {
            check_near(s.first[(ref::site_number(l, x) * 4 + spin) * 3], free.at(name), 1e-9);
        };
        check_component({0, 0, 0, 0}, 0, origin + golden_basis);
        check_component({1, 0, 0, 0}, 3, "S(x=1,y=0,z=0,t=0)[3,0]");
        check_component({0, 1, 0, 0}, 3, "S(x=0,y=1,z=0,t=0)[3,0]");
        check_component({0, 0, 1, 0}, 2, "S(x=0,y=0,z=1,t=0)[2,0]");
        check_component({0, 0, 0, 1}, 2, "S(x=0,y=0,z=0,t=1)[2,0]");
    }
}

QCD_GOLDEN_CASE("golden: plane waves")
{
    use_workers({.cpu = 1});
    const json waves = ref::golden_numbers(folder).at("plane_waves");
    const Extents l = waves.at("dims_xyzt").get<Extents>();
    const bool antiperiodic = waves.at("bc_t") == -1;
    TiledSolve problem({l, ref::unit_links(l), waves.at("kappa"), 0, antiperiodic},
                       golden_tiling(l), {Method::cr, true, Precision::f64});
    for (const json& wave : waves.at("waves")) {
        const auto p = ref::momentum(l, wave.at("n_xyzt"), antiperiodic);
        std::array<ref::Complex, 4> u;
        for (int a = 0; a < 4; ++a) u[a] = ref::golden_complex(wave.at("D(p)^-1 e_0").at(a));
        CHECK(problem.solve(ref::plane_wave(l, p, {1, 0, 0, 0}, 2), until(1e-12)).converged);
        CHECK(ref::distance(problem.x(), ref::plane_wave(l, p, u, 2)) <= 1e-9);
    }
}

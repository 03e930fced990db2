// The plain reference against numbers computed by others: open.json (docs/install.md, "Tests").

#include "tests/reference/golden_checks.hpp"
#include "tests/reference/solvers.hpp"

#include <catch2/catch.hpp>

using namespace qcd;
using namespace qcd::reference;
using nlohmann::json;

namespace
{

/// b solved to tol by the method of that name in open.json; empty if this reference has none.
Solution solve_named(const Wilson& w, const std::string& method, const Spinors& b)
{
    const auto D = [&](const Spinors& v) { return dirac(w, v); };
    const auto D_dagger = [&](const Spinors& v) { return dirac_dagger(w, v); };
    const auto Q = [&](const Spinors& v) { return hermitian(w, v); };
    const auto even = [&](const Spinors& v) { return dirac_even(w, v); };
    const auto even_dagger = [&](const Spinors& v) { return dirac_even_dagger(w, v); };
    const auto even_Q = [&](const Spinors& v) { return gamma5(dirac_even(w, v)); };
    const double tol = 1e-10;
    const int limit = 1000;
    if (method == "CGNE") return cg_normal(D, D_dagger, b, tol, limit, Watch::normal);
    if (method == "CGNR") return cg_normal(D, D_dagger, b, tol, limit, Watch::original);
    if (method.starts_with("CR(")) return conjugate_residual(Q, gamma5(b), tol, limit);
    const Spinors b_even = even_source(w, b);
    if (method == "eo-CGNE(even)")
        return cg_normal(even, even_dagger, b_even, tol, limit, Watch::normal);
    if (method == "eo-CGNR(even)")
        return cg_normal(even, even_dagger, b_even, tol, limit, Watch::original);
    if (method == "eo-CR(even)") return conjugate_residual(even_Q, gamma5(b_even), tol, limit);
    return {};
}

/// Iterations within the spread that open.json gives, and one more (two for CR) on either side.
void check_iterations(const Wilson& w, const std::string& method, const json& solve)
{
    const Spinors b = det_spinor(w.lattice, 1);
    const Solution s = solve_named(w, method, b);
    if (s.history.empty()) return;
    INFO(method);
    const json& spread = solve.at("iterations_spread").at(method);
    const int margin = method.find("CR(") != std::string::npos ? 2 : 1;
    CHECK(s.iterations >= spread.at(0).get<int>() - margin);
    CHECK(s.iterations <= spread.at(1).get<int>() + margin);
    const json& history = solve.at("history").at(method);
    for (std::size_t k = 0; k < history.size(); ++k)
        CHECK(s.history.at(k) == Approx(history[k].get<double>()).epsilon(1e-8));
    const bool even = method.starts_with("eo-");
    const Spinors x = even ? complete_odd(w, s.x, b) : s.x;
    CHECK(norm2(x) == Approx(solve.at("norm2_x").get<double>()).epsilon(1e-8));
    check_near(inner(b, x), solve.at("b_x"), 1e-8 * norm2(b));
    check_near(inner(b, gamma5(x)), solve.at("b_g5x"), 1e-8 * norm2(b));
    for (const json& where : solve.at("x_samples"))
        check_near(sample(w, x, where), where.at("x"), 1e-8);
}

/// (1/3) tr of the links along a path from x: mu = 0..3 a step forward, -1 - mu one back.
Complex loop(const Wilson& w, Coord x, const std::vector<int>& path)
{
    Spinors rows(9); // of the product so far
    for (int k = 0; k < 3; ++k) rows[k * 4] = 1;
    for (const int step : path) {
        const bool forward = step >= 0;
        const int mu = forward ? step : -1 - step;
        if (!forward) x = neighbour(w.lattice, x, mu, -1);
        const Complex* u = &w.links[(site_number(w.lattice, x) * 4 + mu) * 9];
        Spinors next(9);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                for (int k = 0; k < 3; ++k)
                    next[i * 3 + j] +=
                        rows[i * 3 + k] * (forward ? u[k * 3 + j] : std::conj(u[j * 3 + k]));
        rows = next;
        if (forward) x = neighbour(w.lattice, x, mu, 1);
    }
    return (rows[0] + rows[4] + rows[8]) / 3.0;
}

} // namespace

QCD_GOLDEN_CASE("links of the files form the reference loops")
{
    for_golden_fields(folder, [](const Wilson& w, const json& config) {
        Complex polyakov = 0, rectangles = 0;
        for (long s = 0; s < volume(w.lattice); ++s) {
            const Coord x = site_coord(w.lattice, s);
            if (x[3] == 0) polyakov += loop(w, x, std::vector<int>(w.lattice[3], 3));
            for (int mu = 0; mu < 4; ++mu)
                for (int nu = 0; nu < 4; ++nu)
                    if (nu != mu) rectangles += loop(w, x, {mu, mu, nu, -1 - mu, -1 - mu, -1 - nu});
        }
        const double columns = double(volume(w.lattice)) / w.lattice[3];
        const json& expected = config.at("gauge");
        check_near(polyakov / columns, expected.at("polyakov_t"), 1e-12);
        CHECK(rectangles.real() == near(expected.at("rectangle_sum_munu_2x1")));
    });
}

QCD_GOLDEN_CASE("operators give the reference norms, products and samples")
{
    for_golden_runs(folder, [](const Wilson& w, const json& run) {
        const json& expected = run.at("apply").at(golden_basis);
        const Spinors psi = det_spinor(w.lattice, 1);
        const Spinors Dpsi = dirac(w, psi);
        const double size = norm2(psi);
        CHECK(norm2(psi) == near(expected.at("norm2_psi")));
        CHECK(norm2(hopping(w, psi)) == near(expected.at("norm2_Hpsi")));
        CHECK(norm2(Dpsi) == near(expected.at("norm2_Dpsi")));
        CHECK(norm2(dirac_dagger(w, Dpsi)) == near(expected.at("norm2_DdagDpsi")));
        CHECK(norm2(only_parity(w.lattice, psi, 0)) == near(expected.at("norm2_psi_even")));
        CHECK(norm2(dirac_even(w, psi)) == near(expected.at("norm2_Dhat_even_psi")));
        check_near(inner(psi, Dpsi), expected.at("psi_D_psi"), 1e-12 * size);
        check_near(inner(psi, gamma5(Dpsi)), expected.at("psi_g5D_psi"), 1e-12 * size);
        for (const json& where : expected.at("samples"))
            check_near(sample(w, Dpsi, where), where.at("Dpsi"), 1e-12);
    });
}

QCD_GOLDEN_CASE("solvers take the reference numbers of iterations")
{
    for_golden_runs(folder, [](const Wilson& w, const json& run) {
        const json& solve = run.at("solve").at(golden_basis);
        for (const auto& [method, count] : solve.at("iterations").items())
            if (count.get<int>() <= 80) check_iterations(w, method, solve); // the rest takes long
    });
}

QCD_GOLDEN_CASE("plane waves have the reference propagator")
{
    const json waves = golden_numbers(folder).at("plane_waves");
    const Extents lattice = waves.at("dims_xyzt").get<Extents>();
    const bool antiperiodic = waves.at("bc_t") == -1;
    const Wilson w{lattice, unit_links(lattice), waves.at("kappa"), 0, antiperiodic};
    for (const json& wave : waves.at("waves")) {
        const auto p = momentum(lattice, wave.at("n_xyzt"), antiperiodic);
        std::array<Complex, 4> u;
        for (int a = 0; a < 4; ++a) {
            CHECK(p[a] == Approx(wave.at("p").at(a).get<double>()).margin(1e-15));
            u[a] = golden_complex(wave.at("D(p)^-1 e_0").at(a));
        }
        // D (u e^{ipx}) = e_0 e^{ipx}
        const Spinors source = plane_wave(lattice, p, {1, 0, 0, 0}, 2);
        CHECK(distance(dirac(w, plane_wave(lattice, p, u, 2)), source) < 1e-14);
    }
}

TEST_CASE("erratum: with a complex shift the printed beta stalls", "[reference]")
{
    const auto folder = golden_folder();
    if (!folder) return report_skipped();
    const Extents lattice{4, 4, 4, 4};
    const Wilson w{lattice, golden_links(*folder, "conf.00200"), 0.15, 0.05, true};
    const auto A = [&](const Spinors& v) { return hermitian(w, v); };
    const Spinors b = gamma5(det_spinor(lattice, 1));
    const Solution derived = conjugate_residual(A, b, 1e-10, 3000, Beta::derived);
    CHECK(derived.converged);
    CHECK(derived.iterations == Approx(286).margin(2));
    const Solution printed = conjugate_residual(A, b, 1e-10, 600, Beta::printed);
    CHECK_FALSE(printed.converged);
    CHECK(printed.history.back() > 0.9);
    // its residual still never grows: a test for monotony alone would pass
    for (std::size_t k = 1; k < printed.history.size(); ++k)
        CHECK(printed.history[k] <= printed.history[k - 1] * (1 + 1e-12));
}

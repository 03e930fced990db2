// The plain clover term: theorems, and numbers computed by others (clover.json).

#include "tests/reference/clover.hpp"
#include "tests/reference/golden_checks.hpp"
#include "tests/reference/solvers.hpp"

#include <catch2/catch.hpp>

#include <complex>

using namespace qcd;
using namespace qcd::reference;
using nlohmann::json;

namespace
{

const Extents clover_lattice{4, 2, 2, 4};

Wilson clover_wilson(double mubar)
{
    return {clover_lattice, gen_gauge(clover_lattice, 5, 0.3), 0.12, mubar, true, 1.3};
}

/// log |det m|
double log_det(SiteMatrix m)
{
    double sum = 0;
    for (int k = 0; k < 12; ++k) {
        int pivot = k;
        for (int i = k + 1; i < 12; ++i)
            if (std::abs(m[i][k]) > std::abs(m[pivot][k])) pivot = i;
        std::swap(m[k], m[pivot]);
        sum += std::log(std::abs(m[k][k]));
        for (int i = k + 1; i < 12; ++i)
            for (int j = 11; j >= k; --j) m[i][j] -= m[i][k] / m[k][k] * m[k][j];
    }
    return sum;
}

} // namespace

TEST_CASE("clover term by hand: one constant field in the xy plane", "[plain]")
{
    // U_y(x) = exp(i phi x) diag(1, -1, 0): every plaquette of the plane is P = exp(i phi diag),
    // but where x wraps around, F = (4 P - h.c.)/8 = i sin(phi) diag, and sigma_xy is s3.
    const double phi = 0.4, kappa = 0.1, csw = 1.5;
    const Extents l{8, 2, 2, 2};
    Wilson w{l, unit_links(l), kappa, 0, true, csw};
    for (long s = 0; s < volume(l); ++s) {
        const double angle = phi * site_coord(l, s)[0];
        w.links[(s * 4 + 1) * 9] = std::polar(1.0, angle);
        w.links[(s * 4 + 1) * 9 + 4] = std::polar(1.0, -angle);
    }
    const SiteMatrix t = site_matrix(w, site_number(l, {3, 1, 0, 1}), 0);
    const double size = kappa * csw * std::sin(phi);
    for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j) {
            const double spin = i / 3 % 2 ? -1 : 1, colour = i % 3 == 0 ? 1 : i % 3 == 1 ? -1 : 0;
            // i kappa csw sigma F = i kappa csw spin (i sin phi colour)
            CHECK(std::abs(t[i][j] - (i == j ? 1 - size * spin * colour : 0.0)) < 1e-15);
        }
}

TEST_CASE("clover term: Hermitian, blocks of no trace, 0 of unit links", "[plain]")
{
    const Wilson w = clover_wilson(0);
    for (long s = 0; s < volume(w.lattice); ++s) {
        const SiteMatrix t = site_matrix(w, s, 0);
        Complex trace[2]{-6.0, -6.0};
        double off = 0;
        for (int i = 0; i < 12; ++i) {
            trace[i / 6] += t[i][i];
            for (int j = 0; j < 12; ++j) {
                off = std::max(off, std::abs(t[i][j] - std::conj(t[j][i])));
                if (i / 6 != j / 6) CHECK(std::abs(t[i][j]) < 1e-16);
            }
        }
        CHECK(off < 1e-15);
        CHECK(std::abs(trace[0]) < 1e-14);
        CHECK(std::abs(trace[1]) < 1e-14);
    }
    const Wilson unit{clover_lattice, unit_links(clover_lattice), 0.12, 0, true, 1.3};
    const SiteMatrix t = site_matrix(unit, 7, 0);
    for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j) CHECK(t[i][j] == (i == j ? 1.0 : 0.0));
}

TEST_CASE("with a clover term D is gauge covariant, D^dagger its adjoint and gamma5 D(-mubar) "
          "gamma5",
          "[plain]")
{
    const double mubar = GENERATE(0.0, 0.3);
    const Wilson w = clover_wilson(mubar), opposite = clover_wilson(-mubar);
    const Rotations g = random_rotations(w.lattice, 11);
    Wilson rotated = w;
    rotated.links = transform(w.lattice, g, w.links);
    const Spinors a = det_spinor(w.lattice, 1), b = det_spinor(w.lattice, 2);
    CHECK(distance(dirac(rotated, transform(g, a)), transform(g, dirac(w, a))) < 1e-13);
    CHECK(std::abs(inner(a, dirac(w, b)) - inner(dirac_dagger(w, a), b)) < 1e-12);
    CHECK(distance(dirac_dagger(w, a), gamma5(dirac(opposite, gamma5(a)))) < 1e-14);
    CHECK(std::abs(inner(a, dirac_even(w, b)) - inner(dirac_even_dagger(w, a), b)) < 1e-12);
}

TEST_CASE("with a clover term the even system with its odd completion solves the whole", "[plain]")
{
    const Wilson w = clover_wilson(GENERATE(0.0, 0.2));
    const Spinors b = det_spinor(w.lattice, 1);
    const Solution even =
        gcr([&](const Spinors& v) { return dirac_even(w, v); }, even_source(w, b), 1e-13, 200);
    CHECK(even.converged);
    CHECK(distance(dirac(w, complete_odd(w, even.x, b)), b) < 1e-11);
}

QCD_GOLDEN_CASE("golden: the plain clover term and its operators")
{
    for_golden_clover(folder, [](const Wilson& w, const json& v) {
        const Spinors psi = det_spinor(w.lattice, 1), Dpsi = dirac(w, psi);
        CHECK(norm2(Dpsi) == near(v.at("norm2_Dpsi")));
        check_near(inner(psi, Dpsi), v.at("psi_D_psi"), 1e-12 * norm2(psi));
        check_near(inner(psi, gamma5(Dpsi)), v.at("psi_g5D_psi"), 1e-12 * norm2(psi));
        CHECK(norm2(dirac_dagger(w, Dpsi)) == near(v.at("norm2_DdagDpsi")));
        CHECK(norm2(dirac_even(w, psi)) == near(v.at("norm2_Dhat_even_psi")));
        check_near(Dpsi[(site_number(w.lattice, {1, 0, 0, 0}) * 4 + 1) * 3 + 1],
                   v.at("Dpsi_x1000_spin1_colour1"), 1e-12);
        if (!v.contains("clover")) return;
        double norm2_all = 0, log_det_odd = 0;
        for (long s = 0; s < volume(w.lattice); ++s) {
            const SiteMatrix t = site_matrix(w, s, 0);
            for (int i = 0; i < 12; ++i)
                for (int j = 0; j < 12; ++j) norm2_all += std::norm(t[i][j] - double(i == j));
            if (parity(site_coord(w.lattice, s)) == 1)
                log_det_odd += log_det(site_matrix(w, s, w.mubar));
        }
        CHECK(norm2_all == near(v.at("clover").at("norm2_all_sites")));
        CHECK(log_det_odd == near(v.at("clover").at("log_det_T_odd_sum"), 1e-11));
    });
}

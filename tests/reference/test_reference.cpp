// The plain reference itself: by hand where a hand can follow, and by the theorems it must obey.

#include "lattice/gauge_source.hpp"
#include "lattice/spinor_source.hpp"
#include "tests/reference/dirac.hpp"
#include "tests/reference/solvers.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace qcd;
using namespace qcd::reference;

namespace
{

constexpr Complex i{0, 1};
constexpr Extents small{4, 2, 6, 4};

Wilson random_wilson(double mubar, bool antiperiodic)
{
    return {small, gen_gauge(small, 5, 0.3), 0.14, mubar, antiperiodic};
}

SpinMatrix product(const SpinMatrix& m, const SpinMatrix& n)
{
    SpinMatrix out{};
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
            for (int c = 0; c < 4; ++c) out[a][b] += m[a][c] * n[c][b];
    return out;
}

Spinors point(const Extents& lattice, const Coord& x, int spin, int colour)
{
    Spinors psi(volume(lattice) * 12);
    psi[(site_number(lattice, x) * 4 + spin) * 3 + colour] = 1;
    return psi;
}

Complex at(const Spinors& psi, long s, int spin, int colour)
{
    return psi[(s * 4 + spin) * 3 + colour];
}

} // namespace

TEST_CASE("generated numbers are those of the conventions", "[plain]")
{
    CHECK(splitmix64(0) == 0xe220a8397b1dcdafu);
    CHECK(splitmix64(1) == 0x6e789e6aa1b965f4u);
    const Spinors psi = det_spinor({2, 2, 2, 2}, 1);
    CHECK(std::abs(psi[0] - Complex(-0.22642154, 0.40624245)) < 1e-8);
    CHECK(std::abs(psi[1] - Complex(0.10128331, -0.38302813)) < 1e-8);
}

TEST_CASE("the program's generators make the same fields", "[plain]")
{
    const Links u = load_links(*open_gauge("gen:7,1", small));
    CHECK(distance(u, gen_gauge(small, 7, 1)) < 1e-15);
    CHECK(load_links(*open_gauge("unit", small)) == unit_links(small));
    CHECK(load_spinors(small, *open_spinor_source("det:3", small)) == det_spinor(small, 3));
}

TEST_CASE("sites are numbered with x fastest and wrap around", "[plain]")
{
    CHECK(site_number(small, {1, 0, 0, 0}) == 1);
    CHECK(site_number(small, {3, 1, 5, 3}) == volume(small) - 1);
    for (long s = 0; s < volume(small); ++s) CHECK(site_number(small, site_coord(small, s)) == s);
    CHECK(neighbour(small, {3, 1, 5, 3}, 2, +1) == Coord{3, 1, 0, 3});
    CHECK(neighbour(small, {0, 1, 5, 3}, 0, -1) == Coord{3, 1, 5, 3});
}

TEST_CASE("gamma matrices obey the Clifford algebra and multiply to gamma5", "[plain]")
{
    for (int mu = 0; mu < 4; ++mu)
        for (int nu = 0; nu < 4; ++nu)
            for (int a = 0; a < 4; ++a)
                for (int b = 0; b < 4; ++b) {
                    const Complex anticommutator =
                        product(gamma(mu), gamma(nu))[a][b] + product(gamma(nu), gamma(mu))[a][b];
                    CHECK(anticommutator == Complex(mu == nu && a == b ? 2 : 0));
                    CHECK(gamma(mu)[a][b] == std::conj(gamma(mu)[b][a]));
                }
    const SpinMatrix all = product(product(gamma(0), gamma(1)), product(gamma(2), gamma(3)));
    CHECK(all == gamma(5));
}

// Two sites in t: a point at t = 0 is reached from t = 1 by its forward hop (which crosses the
// boundary) and by its backward hop. The links are a x 1 with different a, so every number below is
// seen by eye.
TEST_CASE("hopping between two sites by hand", "[plain]")
{
    const Extents two{1, 1, 1, 2};
    Wilson w{two, unit_links(two), 0.25, 0, true};
    for (int row = 0; row < 3; ++row) {
        w.links[(0 * 4 + 3) * 9 + 4 * row] = 2.0 * i; // U_t(0)
        w.links[(1 * 4 + 3) * 9 + 4 * row] = 3.0;     // U_t(1)
    }
    const Spinors h = hopping(w, point(two, {0, 0, 0, 0}, 0, 1));
    // t = 1: -(1-gamma_t) 3 psi(0) + (1+gamma_t) (2i)^* psi(0), gamma_t e_0 = e_2
    CHECK(at(h, 1, 0, 1) == Complex(-3, -2));
    CHECK(at(h, 1, 2, 1) == Complex(+3, -2));
    CHECK(at(h, 1, 1, 1) == Complex(0));
    CHECK(at(h, 1, 0, 0) == Complex(0));
    // t = 0: x, y and z wrap onto the same site: sum over three directions of (1-g) + (1+g) = 6
    CHECK(at(h, 0, 0, 1) == Complex(6));
    CHECK(norm2(h) == 36 + 13 + 13);
    w.mubar = 0.5;
    const Spinors d = dirac(w, point(two, {0, 0, 0, 0}, 0, 1));
    CHECK(at(d, 0, 0, 1) == Complex(1 - 0.25 * 6, 0.5));
    CHECK(at(d, 1, 2, 1) == -0.25 * Complex(3, -2));
}

TEST_CASE("hopping in x, y, z by hand: which spin turns into which", "[plain]")
{
    const Extents e{4, 4, 4, 4};
    const Wilson w{e, unit_links(e), 0.1, 0, true};
    const Spinors h = hopping(w, point(e, {1, 1, 1, 1}, 0, 0));
    const auto forward = [&](Coord x, int spin) { return at(h, site_number(e, x), spin, 0); };
    // the forward term of x - mu carries 1 - gamma_mu, the backward term of x + mu carries 1 +
    // gamma_mu
    CHECK(forward({0, 1, 1, 1}, 0) == Complex(1));
    CHECK(forward({0, 1, 1, 1}, 3) == i);
    CHECK(forward({2, 1, 1, 1}, 3) == -i);
    CHECK(forward({1, 0, 1, 1}, 3) == Complex(1));
    CHECK(forward({1, 2, 1, 1}, 3) == Complex(-1));
    CHECK(forward({1, 1, 0, 1}, 2) == i);
    CHECK(forward({1, 1, 2, 1}, 2) == -i);
    CHECK(forward({1, 1, 1, 0}, 2) == Complex(-1));
    CHECK(forward({1, 1, 1, 2}, 2) == Complex(1));
    CHECK(norm2(h) == 16);
}

TEST_CASE("hopping of a constant field on unit links is 8", "[plain]")
{
    const Wilson w{small, unit_links(small), 0.1, 0, false};
    const Spinors psi(volume(small) * 12, Complex(0.5, -2));
    CHECK(distance(hopping(w, psi), combine(8, psi, 0, psi)) < 1e-14);
}

TEST_CASE("D^dagger is the adjoint, and gamma5 D(-mubar) gamma5", "[plain]")
{
    const bool antiperiodic = GENERATE(true, false);
    const double mubar = GENERATE(0.0, 0.3);
    const Wilson w = random_wilson(mubar, antiperiodic);
    const Wilson opposite = random_wilson(-mubar, antiperiodic);
    const Spinors a = det_spinor(small, 1), b = det_spinor(small, 2);
    CHECK(std::abs(inner(a, dirac(w, b)) - inner(dirac_dagger(w, a), b)) < 1e-12);
    CHECK(distance(dirac_dagger(w, a), gamma5(dirac(opposite, gamma5(a)))) < 1e-14);
    CHECK(std::abs(inner(a, dirac_even(w, b)) - inner(dirac_even_dagger(w, a), b)) < 1e-12);
    CHECK(distance(dirac_even_dagger(w, a), gamma5(dirac_even(opposite, gamma5(a)))) < 1e-14);
}

TEST_CASE("D is gauge covariant", "[plain]")
{
    const Wilson w = random_wilson(0.1, true);
    const Rotations g = random_rotations(small, 11);
    const Wilson rotated{small, transform(small, g, w.links), w.kappa, w.mubar, true};
    const Spinors psi = det_spinor(small, 3);
    CHECK(distance(rotated.links, w.links) > 0.1);
    CHECK(distance(dirac(rotated, transform(g, psi)), transform(g, dirac(w, psi))) < 1e-13);
}

TEST_CASE("gamma5 D is Hermitian up to i mubar", "[plain]")
{
    const Wilson w = random_wilson(0.2, true);
    const Spinors a = det_spinor(small, 1), b = det_spinor(small, 2);
    const Complex difference = inner(a, hermitian(w, b)) - std::conj(inner(b, hermitian(w, a)));
    CHECK(std::abs(difference - 2.0 * i * 0.2 * inner(a, b)) < 1e-12);
}

TEST_CASE("the even system with its odd completion solves the whole", "[plain]")
{
    const Wilson w = random_wilson(0.3, true);
    const Spinors b = det_spinor(small, 1);
    const auto Dhat = [&](const Spinors& v) { return dirac_even(w, v); };
    const auto D = [&](const Spinors& v) { return dirac(w, v); };
    const Solution even = gcr(Dhat, even_source(w, b), 1e-13, 200);
    const Spinors x = complete_odd(w, even.x, b);
    CHECK(even.converged);
    CHECK(distance(D(x), b) < 1e-11);
    CHECK(distance(x, gcr(D, b, 1e-13, 200).x) < 1e-11);
}

TEST_CASE("plane waves are multiplied by D(p)", "[plain]")
{
    const bool antiperiodic = GENERATE(true, false);
    const Extents e{4, 6, 2, 8};
    const Wilson w{e, unit_links(e), 0.12, 0.07, antiperiodic};
    const std::array<Complex, 4> u{Complex(1, 2), -0.5, 3.0 * i, Complex(2, -1)};
    const auto p = momentum(e, {1, 2, 1, 3}, antiperiodic);
    // D(p) = 1 - 2 kappa sum_mu (cos p_mu - i gamma_mu sin p_mu) + i mubar gamma5
    std::array<Complex, 4> v{};
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b) {
            Complex element = (a == b ? 1.0 : 0.0) + i * w.mubar * gamma(5)[a][b];
            for (int mu = 0; mu < 4; ++mu)
                element -=
                    2 * w.kappa *
                    ((a == b ? std::cos(p[mu]) : 0.0) - i * gamma(mu)[a][b] * std::sin(p[mu]));
            v[a] += element * u[b];
        }
    CHECK(distance(dirac(w, plane_wave(e, p, u, 1)), plane_wave(e, p, v, 1)) < 1e-14);
}

TEST_CASE("the three reference solvers find the same solution", "[plain]")
{
    const Wilson w = random_wilson(0, true);
    const Spinors b = det_spinor(small, 1);
    const auto D = [&](const Spinors& v) { return dirac(w, v); };
    const auto D_dagger = [&](const Spinors& v) { return dirac_dagger(w, v); };
    const auto Q = [&](const Spinors& v) { return hermitian(w, v); };
    const Solution cg = cg_normal(D, D_dagger, b, 1e-12, 1000, Watch::original);
    const Solution cr = conjugate_residual(Q, gamma5(b), 1e-12, 1000);
    const Solution best = gcr(Q, gamma5(b), 1e-12, 1000);
    CHECK((cg.converged && cr.converged && best.converged));
    CHECK(distance(D(cg.x), b) < 1e-11);
    CHECK(distance(cr.x, cg.x) < 1e-10);
    CHECK(distance(best.x, cg.x) < 1e-10);
    CHECK(best.iterations <= cr.iterations);
}

TEST_CASE("with a complex shift, the printed beta is not the derived one", "[plain]")
{
    const Wilson w = random_wilson(0.1, true);
    const Spinors b = gamma5(det_spinor(small, 1));
    const auto A = [&](const Spinors& v) { return hermitian(w, v); };
    const Solution derived = conjugate_residual(A, b, 1e-10, 2000, Beta::derived);
    CHECK(derived.converged);
    CHECK(distance(A(derived.x), b) < 1e-8);
    const Solution printed = conjugate_residual(A, b, 1e-10, 2 * derived.iterations, Beta::printed);
    CHECK_FALSE(printed.converged);
    CHECK(derived.iterations - gcr(A, b, 1e-10, 2000).iterations <= 2);
}

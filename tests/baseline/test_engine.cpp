// The baseline engine against the plain reference: operators term by term, then whole solves.

#include "base/error.hpp"
#include "baseline/baseline.hpp"
#include "baseline/dirac.hpp"
#include "tests/reference/dirac.hpp"
#include "tests/reference/solvers.hpp"
#include "tests/reference/sources.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace qcd;
using namespace qcd::baseline;
using namespace qcd::reference;
using Spinors = qcd::reference::Spinors;

namespace
{

constexpr Extents lattice{4, 2, 6, 4};

Wilson wilson(double mubar, bool antiperiodic)
{
    return {lattice, gen_gauge(lattice, 5, 0.5), 0.13, mubar, antiperiodic};
}

Problem problem_of(const Wilson& w)
{
    Problem p;
    p.lattice = w.lattice;
    p.kappa = w.kappa;
    p.mubar = w.mubar;
    p.antiperiodic = w.antiperiodic;
    return p;
}

template <class Real>
Field<Real> to_field(const Grid& grid, Sites sites, const Spinors& psi)
{
    Field<Real> field(grid, sites);
    for (long site = sites.first; site < sites.first + sites.count; ++site)
        for (int k = 0; k < 12; ++k) {
            const auto z = psi[site_number(grid.extents(), grid.coord(site)) * 12 + k];
            field[site].c[k % 3][k / 3] = {Real(z.real()), Real(z.imag())};
        }
    return field;
}

/// Sites that the field does not hold are zero.
template <class Real>
Spinors from_field(const Field<Real>& field)
{
    const Grid& grid = field.grid();
    const Sites sites = field.sites();
    Spinors psi(volume(grid.extents()) * 12);
    for (long site = sites.first; site < sites.first + sites.count; ++site)
        for (int k = 0; k < 12; ++k) {
            const auto z = field[site].c[k % 3][k / 3];
            psi[site_number(grid.extents(), grid.coord(site)) * 12 + k] = {z.re, z.im};
        }
    return psi;
}

template <class Real>
Spinors solution(const Engine<Real>& engine)
{
    Spinors x;
    for (long s = 0; s < volume(lattice); ++s) {
        double site[24];
        engine.solution_site(site_coord(lattice, s), site);
        for (int k = 0; k < 12; ++k) x.emplace_back(site[2 * k], site[2 * k + 1]);
    }
    return x;
}

} // namespace

TEST_CASE("the site order lists even sites, then odd ones, and finds neighbours", "[baseline]")
{
    const Grid grid(lattice, 1);
    for (long site = 0; site < grid.all().count; ++site) {
        const Coord x = grid.coord(site);
        CHECK(grid.number(x) == site);
        CHECK(parity(x) == (site >= grid.odd().first));
        for (int mu = 0; mu < 4; ++mu) {
            CHECK(grid.coord(grid.neighbours(site)[2 * mu]) == neighbour(lattice, x, mu, +1));
            CHECK(grid.coord(grid.neighbours(site)[2 * mu + 1]) == neighbour(lattice, x, mu, -1));
        }
    }
    CHECK_THROWS_AS(Grid({3, 4, 4, 4}, 1), Error);
}

TEMPLATE_TEST_CASE("operators equal the reference", "[baseline]", float, double)
{
    using Real = TestType;
    const double bound = 64 * std::numeric_limits<Real>::epsilon(); // sums of 8 terms of 3 products
    const Wilson w = wilson(GENERATE(0.0, 0.4), GENERATE(true, false));
    const Grid grid(lattice, GENERATE(1, 2));
    ArrayGauge gauge(lattice, w.links);
    Hopping<Real> hopping_term(grid, w.antiperiodic);
    std::vector<double> slice(gauge.slice_reals());
    for (int t = 0; t < lattice[3]; ++t) {
        gauge.read_slice(t, slice);
        hopping_term.set_slice(t, slice);
    }
    const Spinors psi = det_spinor(lattice, 1);
    const Field<Real> all = to_field<Real>(grid, grid.all(), psi);
    const Field<Real> even = to_field<Real>(grid, grid.even(), psi);
    Field<Real> out(grid, grid.all()), out_even(grid, grid.even()), out_odd(grid, grid.odd());

    hopping_term.apply(all, out);
    CHECK(distance(from_field(out), hopping(w, psi)) < 8 * bound);
    hopping_term.apply(even, out_odd);
    CHECK(distance(from_field(out_odd), only_parity(lattice, hopping(w, psi), 1)) < 8 * bound);

    FullDirac<Real> full(hopping_term, w.kappa, w.mubar);
    full.apply(all, out);
    CHECK(distance(from_field(out), dirac(w, psi)) < bound);
    full.apply_gamma5(all, out);
    CHECK(distance(from_field(out), hermitian(w, psi)) < bound);
    full.apply_adjoint(all, out);
    CHECK(distance(from_field(out), dirac_dagger(w, psi)) < bound);
    CHECK(full.applications() == 3);

    EvenDirac<Real> half(hopping_term, w.kappa, w.mubar);
    half.apply(even, out_even);
    CHECK(distance(from_field(out_even), dirac_even(w, psi)) < bound);
    half.apply_adjoint(even, out_even);
    CHECK(distance(from_field(out_even), dirac_even_dagger(w, psi)) < bound);
    half.even_source(all, out_even);
    CHECK(distance(from_field(out_even), even_source(w, psi)) < bound);
    half.complete(even, all, out);
    CHECK(distance(from_field(out), complete_odd(w, psi, psi)) < bound);
    CHECK(distance(from_field(all), from_field(to_field<Real>(grid, grid.all(), psi))) == 0);
}

TEMPLATE_TEST_CASE("every solver solves D x = b", "[baseline]", float, double)
{
    using Real = TestType;
    const bool single = sizeof(Real) == 4;
    const double mubar = GENERATE(0.0, 0.2);
    const Wilson w = wilson(mubar, true);
    Problem p = problem_of(w);
    p.solver = GENERATE("cr", "cg", "bicgstab");
    p.even_odd = GENERATE(true, false);
    if (p.solver == "cr" && p.even_odd && mubar != 0) return;
    p.tol = single ? 1e-5 : 1e-11;
    INFO(p.solver << " even-odd " << p.even_odd << " mubar " << mubar);

    const Spinors b = det_spinor(lattice, 1);
    ArrayGauge gauge(lattice, w.links);
    const ArraySource source(lattice, b);
    Engine<Real> engine(p, gauge);
    const Result result = engine.solve(source);
    CHECK(result.converged);
    CHECK(result.iterated_residual <= p.tol);
    CHECK(result.residual_history.size() == std::size_t(result.iterations) + 1);
    CHECK(result.residual_history.back() == result.iterated_residual);
    const long per_iteration = p.solver == "cr" ? 1 : 2;
    const long before = p.solver == "bicgstab" ? 0 : 1;
    // A part that goes on to the true residual computes b - D x, and begins like the first one.
    const long further = result.operator_applications - before - per_iteration * result.iterations;
    CHECK(further % (1 + before) == 0);
    CHECK(further >= 0);
    CHECK(further <= (single ? 2 * (1 + before) : 0));

    const Spinors x = solution(engine);
    const double residual = std::sqrt(norm2(combine(1, b, -1, dirac(w, x))) / norm2(b));
    CHECK(engine.true_residual().relative <= p.tol);
    CHECK(engine.true_residual().relative == Approx(residual).epsilon(1e-3));
    CHECK(engine.true_residual().heavy_quark ==
          Approx(heavy_quark_residual(combine(1, b, -1, dirac(w, x)), x)).epsilon(1e-3));
}

TEMPLATE_TEST_CASE("one and two threads give the same bits", "[baseline]", float, double)
{
    const Wilson w = wilson(0, true);
    Problem p = problem_of(w);
    p.solver = GENERATE("cr", "cg", "bicgstab");
    p.even_odd = GENERATE(true, false);
    p.exact_iterations = 8;
    ArrayGauge gauge(lattice, w.links);
    const ArraySource source(lattice, det_spinor(lattice, 1));
    Engine<TestType> one(p, gauge);
    p.threads = 2;
    Engine<TestType> two(p, gauge);
    const Result a = one.solve(source), b = two.solve(source);
    CHECK(a.iterations == 8);
    CHECK(a.residual_history == b.residual_history);
    CHECK(solution(one) == solution(two));
    CHECK(one.true_residual().relative == two.true_residual().relative);
}

TEST_CASE("a solve can be repeated, cut short, and asked for a zero source", "[baseline]")
{
    const Wilson w = wilson(0, true);
    Problem p = problem_of(w);
    ArrayGauge gauge(lattice, w.links);
    const ArraySource source(lattice, det_spinor(lattice, 1));
    Engine<double> engine(p, gauge);
    CHECK_THROWS_AS(engine.true_residual(), Error);
    const Result first = engine.solve(source);
    const Spinors x = solution(engine);
    CHECK(engine.solve(source).residual_history == first.residual_history);
    CHECK(solution(engine) == x);

    p.max_iterations = 3;
    Engine<double> cut(p, gauge);
    const Result short_run = cut.solve(source);
    CHECK(short_run.iterations == 3);
    CHECK_FALSE(short_run.converged);

    const ArraySource nothing(lattice, Spinors(volume(lattice) * 12));
    const Result zero = engine.solve(nothing);
    CHECK((zero.converged && zero.iterations == 0));
    CHECK(norm2(solution(engine)) == 0);
    CHECK(engine.true_residual().relative == 0);
}

TEST_CASE("what cannot be solved is refused with the reason", "[baseline]")
{
    const Wilson w = wilson(0.1, true);
    ArrayGauge gauge(lattice, w.links);
    const auto build = [&](const Problem& p) { Engine<double> engine(p, gauge); };
    Problem p = problem_of(w);
    CHECK_THROWS_WITH(build(p), Catch::Contains("not diagonal"));
    p.even_odd = false;
    CHECK_NOTHROW(build(p));
    p.solver = "gmres";
    CHECK_THROWS_WITH(build(p), Catch::Contains("gmres"));
    p.solver = "cg";
    p.threads = 0;
    CHECK_THROWS_AS(build(p), Error);
    p.threads = 1;
    p.kappa = NAN;
    CHECK_THROWS_AS(build(p), Error);
    p.kappa = 0.1;
    p.lattice = {4, 4, 4, 4};
    CHECK_THROWS_WITH(build(p), Catch::Contains("4x2x6x4"));
}

// GCR with a method, or additive Schwarz, as its preconditioner.

#include "lattice/box.hpp"
#include "solver/preconditioner.hpp"
#include "tests/solver/tiled_solve.hpp"

#include <algorithm>
#include <functional>

using namespace qcd;
using namespace qcd::test;

namespace
{

const Extents domain_of_test{2, 6, 2, 4}; // of 4x6x2x8: x and t are cut

Setting gcr_with(Preconditioning p, bool even_odd = true)
{
    Setting s{.method = Method::gcr, .even_odd = even_odd};
    s.restart = 6;
    s.preconditioning = p;
    return s;
}

struct InnerOutcome {
    SolveReport report;
    std::uint64_t digest;
    double residual; ///< |b - D x| / |b|, by the plain loops
};

InnerOutcome outcome_of(const Setting& s, const Tiling& tiling, Plan plan = {},
                        const ref::Wilson& w = small_wilson())
{
    TiledSolve problem(w, tiling, s, std::move(plan));
    const SolveReport report =
        problem.solve(small_source(), until(s.precision == Precision::f64 ? 1e-10 : 1e-5, 200));
    return {report, problem.digest(), problem.true_residual()};
}

Tiling uncut() { return Tiling(small_lattice(), Extents{1, 1, 1, 1}); }

void check_on_all_plans(const Setting& s, const ref::Wilson& w = small_wilson())
{
    const InnerOutcome o = outcome_of(s, small_tiling(), {}, w);
    CHECK(o.report.converged);
    CHECK(o.residual <= 2e-10);
    for (const Tiling& tiling : {Tiling(small_lattice(), Extents{1, 1, 1, 2}), // of whole domains
                                 Tiling(small_lattice(), Extents{2, 3, 1, 4})}) {
        const InnerOutcome other = outcome_of(s, tiling, {}, w);
        CHECK(other.digest == o.digest);
        CHECK(other.report.iterations == o.report.iterations);
    }
    const InnerOutcome batch =
        outcome_of(s, uncut(), {.kind = PlanKind::batch, .iterations = 3}, w);
    CHECK(batch.digest == o.digest);
    CHECK(batch.report.history == o.report.history);
}

/// M r by tasks on this tiling.
ref::Spinors
applied(const Tiling& tiling, const ref::Wilson& w, const std::optional<Extents>& domain,
        const std::function<std::unique_ptr<Preconditioner>(const DiracOperator&)>& make,
        Matrix matrix, const ref::Spinors& r)
{
    LatticeGraph graph(tiling);
    const auto links = gauge_of(graph, Precision::f64, w.links, w.antiperiodic);
    std::optional<GaugeField> cut;
    if (domain) cut.emplace(*links, Precision::f64, Domains(w.lattice, *domain));
    const Wilson wilson(graph, cut ? *cut : *links, Precision::f64);
    const DiracOperator A(wilson, {w.kappa, w.mubar}, matrix);
    const auto M = make(A);
    const Scalars<gcr_scalars> outer(graph); // zeros: an open gate
    const auto field = field_of(graph, Precision::f64, A.sites(), r);
    SpinorField z(A.vector());
    (*M)(*field, z, outer);
    graph.wait();
    return values(z);
}

/// An operator of which links from one domain to another are 0.
ref::Wilson cut_wilson(ref::Wilson w, const Extents& domain)
{
    const Domains domains(w.lattice, domain);
    for (long s = 0; s < volume(w.lattice); ++s)
        for (int mu = 0; mu < 4; ++mu)
            if (domains.link_leaves(coordinates(w.lattice, s), mu))
                std::fill_n(&w.links[9 * (4 * s + mu)], 9, 0);
    return w;
}

} // namespace

TEST_CASE("preconditioner: iterations of a method inside of gcr's", "[solver]")
{
    use_workers({.cpu = 1});
    const bool even_odd = GENERATE(true, false);
    const auto method = GENERATE(Method::cr, Method::cg, Method::bicgstab, Method::gcr);
    const Setting inner = gcr_with({.method = method, .iterations = 4}, even_odd);
    INFO(name_of(inner));
    Setting plain = inner;
    plain.preconditioning.reset();
    check_on_all_plans(inner);
    CHECK(outcome_of(inner, uncut()).report.iterations <
          outcome_of(plain, uncut()).report.iterations);
}

TEST_CASE("preconditioner: in single precision, of a solve in double", "[solver]")
{
    use_workers({.cpu = 1});
    Setting s = gcr_with({.method = Method::gcr, .restart = 1, .iterations = 3});
    if (GENERATE(true, false)) s.preconditioning->domain = domain_of_test;
    s.sloppy = Precision::f32;
    check_on_all_plans(s, small_wilson(0.05, 1.1));
}

TEST_CASE("preconditioner: additive Schwarz", "[solver][long]")
{
    use_workers({.cpu = 1});
    Setting s = gcr_with({.iterations = 4, .domain = domain_of_test}, GENERATE(true, false));
    const double mubar = GENERATE(0.0, 0.05);
    if (GENERATE(true, false)) s.preconditioning->method = Method::bicgstab;
    check_on_all_plans(s, small_wilson(mubar));
}

TEST_CASE("preconditioner: domains are an operator with cut links", "[solver]")
{
    use_workers({.cpu = 1});
    const ref::Wilson w = small_wilson(0.05), cut = cut_wilson(w, domain_of_test);
    const ref::Spinors r = small_source();
    const int steps = GENERATE(1, 2, 5);
    const auto make = [&](const DiracOperator& A) { return make_relaxation(A, steps); };
    // x <- x + r - D x, by the plain loops
    ref::Spinors x = r;
    for (int i = 1; i < steps; ++i)
        x = ref::combine(1, ref::combine(1, x, 1, r), -1, ref::dirac(cut, x));
    for (const Tiling& tiling : {uncut(), Tiling(small_lattice(), Extents{2, 1, 1, 2}),
                                 Tiling(small_lattice(), Extents{1, 3, 1, 4})}) {
        const ref::Spinors z = applied(tiling, w, domain_of_test, make, Matrix::D, r);
        CHECK(ref::norm2(ref::combine(1, z, -1, x)) <= 1e-28 * ref::norm2(x));
    }
}

TEST_CASE("preconditioner: a domain that is the lattice cuts nothing", "[solver]")
{
    use_workers({.cpu = 1});
    const auto make = [](const DiracOperator& A) {
        return make_inner_method(A, Method::bicgstab, 3, default_restart);
    };
    const auto apply = [&](const std::optional<Extents>& domain) {
        return applied(small_tiling(), small_wilson(), domain, make, Matrix::D, small_source());
    };
    CHECK(apply(small_lattice()) == apply({}));
    CHECK_FALSE(apply(domain_of_test) == apply({}));
}

TEST_CASE("preconditioner: tiles that are whole domains need no faces of each other", "[solver]")
{
    use_workers({.cpu = 1});
    const bool even_odd = GENERATE(true, false);
    const int iterations = 3, tiles = 2;
    const auto tasks_with = [&](const Extents& domain) {
        const Setting s = gcr_with({.iterations = 4, .domain = domain}, even_odd);
        TiledSolve problem(small_wilson(), Tiling(small_lattice(), Extents{1, 1, 1, tiles}), s);
        problem.solve(small_source(), until(0, iterations));
        return problem.tasks();
    };
    const int hops = iterations * 2 * 3; // of relaxation from its first step on
    CHECK(tasks_with({2, 6, 2, 8}) - tasks_with({2, 6, 2, 4}) == hops * tiles);
}

TEST_CASE("preconditioner: what lies in one domain stays there", "[solver]")
{
    use_workers({.cpu = 1});
    ref::Spinors r(small_source().size());
    r[0] = 1; // of the site 0,0,0,0
    const auto make = [](const DiracOperator& A) { return make_relaxation(A, 30); };
    const ref::Spinors z =
        applied(small_tiling(), small_wilson(), domain_of_test, make, Matrix::D, r);
    for (long s = 0; s < volume(small_lattice()); ++s) {
        const Coord x = coordinates(small_lattice(), s);
        bool inside = true;
        for (int mu = 0; mu < 4; ++mu) inside = inside && x[mu] < domain_of_test[mu];
        const ref::Spinors at(&z[12 * s], &z[12 * s] + 12);
        CHECK((ref::norm2(at) > 0) == inside);
    }
}

TEST_CASE("domains: what they must be", "[solver]")
{
    const Extents l{8, 12, 4, 8};
    for (const Extents& wrong : {Extents{3, 4, 4, 8}, Extents{8, 8, 4, 8}, Extents{8, 12, 1, 8},
                                 Extents{8, 12, 4, 16}, Extents{8, 3, 4, 8}, Extents{0, 4, 4, 4}})
        CHECK_THROWS_WITH(Domains(l, wrong), Catch::Contains("domain " + to_string(wrong)));
    const Domains d(l, {4, 6, 4, 2});
    CHECK(d.link_leaves({3, 0, 0, 0}, 0));
    CHECK(d.link_leaves({7, 0, 0, 0}, 0));
    CHECK_FALSE(d.link_leaves({2, 0, 0, 0}, 0));
    CHECK_FALSE(d.link_leaves({0, 0, 3, 0}, 2)); // around the lattice, as there is one domain
    CHECK(d.fit_in_tiles(Tiling(l, Extents{1, 2, 1, 4})));
    CHECK_FALSE(d.fit_in_tiles(Tiling(l, Extents{1, 3, 1, 4})));
    CHECK_FALSE(d.fit_in_tiles(Tiling(l, Extents{1, 1, 2, 1})));
}

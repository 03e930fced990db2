// Several right-hand sides at once: each has the bits, counts and residuals of a solve of its own,
// on all tilings, workers and plans.

#include "tests/solver/tiled_solve.hpp"

#include <utility>
#include <vector>

using namespace qcd;
using namespace qcd::test;

namespace
{

/// Some that take iterations of different number: noise, a point, and 0, which takes none.
std::vector<ref::Spinors> sources_of_sides()
{
    std::vector<ref::Spinors> all{small_source(), ref::Spinors(12 * volume(small_lattice())),
                                  in_single(ref::det_spinor(small_lattice(), 2)),
                                  ref::Spinors(12 * volume(small_lattice()))};
    all[1][5] = 1;
    return all;
}

std::vector<Plan> plans_of_sides(const Workers& w)
{
    std::vector<Plan> plans{{}};
    if (w.cpu + w.opencl + w.cuda == 1) plans.push_back({.kind = PlanKind::batch, .iterations = 8});
    return plans;
}

void check_same(const SolveReport& together, const SolveReport& alone)
{
    CHECK(together.iterations == alone.iterations);
    CHECK(together.history == alone.history);
    CHECK(together.residual == alone.residual);
    CHECK(together.converged == alone.converged);
    CHECK(together.breakdown == alone.breakdown);
    CHECK(together.cg_iterations == alone.cg_iterations);
    CHECK(together.operator_applications == alone.operator_applications);
    CHECK(together.single_iterations == alone.single_iterations);
    CHECK(together.double_iterations == alone.double_iterations);
    CHECK_FALSE(together.is_unfinished);
    REQUIRE(together.updates.size() == alone.updates.size());
    for (std::size_t i = 0; i < alone.updates.size(); ++i) {
        CHECK(together.updates[i].iteration == alone.updates[i].iteration);
        CHECK(together.updates[i].residual == alone.updates[i].residual);
    }
}

void check_sides(const ref::Wilson& w, const Tiling& tiling, const Setting& s, const Plan& plan,
                 const std::vector<ref::Spinors>& sources, const SolveControl& control)
{
    TiledSolve together(w, tiling, s, plan, int(sources.size()));
    for (std::size_t i = 0; i < sources.size(); ++i)
        together.parts().set_source(ref::ArraySource(w.lattice, sources[i]), int(i));
    const std::vector<SolveReport> reports = together.parts().solve_all(control);
    const std::vector<SolutionSums> verified = together.parts().verify_all();
    REQUIRE(reports.size() == sources.size());
    REQUIRE(verified.size() == sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
        INFO("right-hand side " << i);
        TiledSolve alone(w, tiling, s, plan);
        check_same(reports[i], alone.solve(sources[i], control));
        CHECK(together.parts().digest_of_x(int(i)) == alone.digest());
        const SolutionSums own = alone.verified();
        CHECK(verified[i].residual == own.residual);
        CHECK(verified[i].heavy_quark == own.heavy_quark);
        CHECK(verified[i].norm2 == own.norm2);
        CHECK(verified[i].x_over_b == own.x_over_b);
        CHECK(verified[i].source_dot == own.source_dot);
    }
}

} // namespace

TEST_CASE("right-hand sides: each has the bits of its own solve", "[rhs]")
{
    const Workers workers = any_workers();
    INFO(name_of(workers));
    Setting s{GENERATE(Method::cr, Method::cg, Method::bicgstab)};
    s.precision = any_precision();
    const Extents tiles = GENERATE(Extents{1, 1, 1, 1}, Extents{1, 2, 1, 2});
    s.even_odd = (volume(tiles) > 1) == (s.precision == Precision::f64);
    if (!s.even_odd && workers.opencl + workers.cuda > 0) return; // long on devices, and same bits
    for (const Plan& plan : plans_of_sides(workers)) {
        if (plan.kind == PlanKind::batch && volume(tiles) > 1) continue;
        INFO(name_of(s) << ", tiles " << to_string(tiles) << ", plan " << to_string(plan.kind));
        check_sides(small_wilson(), Tiling(small_lattice(), tiles), s, plan, sources_of_sides(),
                    until(s.precision == Precision::f64 ? 1e-8 : 1e-4));
    }
}

TEST_CASE("right-hand sides: in two precisions, too", "[rhs]")
{
    use_workers({.cpu = 1});
    Setting s{GENERATE(Method::cr, Method::cg, Method::bicgstab)};
    s.sloppy = GENERATE(Precision::f32, Precision::f16);
    const bool batch = (s.method == Method::cg) == (s.sloppy == Precision::f16);
    INFO(name_of(s) << (batch ? ", batch" : ", graph"));
    const Tiling whole(small_lattice(), {1, 1, 1, 1});
    check_sides(small_wilson(), batch ? whole : small_tiling(), s,
                batch ? Plan{.kind = PlanKind::batch, .iterations = 8} : Plan{}, sources_of_sides(),
                until(1e-11));
}

TEST_CASE("right-hand sides: in two precisions what is rare is done by itself", "[rhs][long]")
{
    use_workers({.cpu = 1});
    Setting s;
    s.sloppy = Precision::f16;
    std::vector<ref::Spinors> sources = sources_of_sides();
    SECTION("updates that bring little")
    {
        s.method = Method::cg;
        s.drop = 1e-5; // more than 16 bits can in one go
        check_sides(small_wilson(), small_tiling(), s, {}, sources, until(1e-10));
    }
    SECTION("a source that 16 bits do not hold, before it is scaled")
    {
        s.method = Method::cr;
        for (ref::Complex& z : sources[0]) z *= 0x1p122;
        check_sides(small_wilson(), small_tiling(), s, {}, sources, until(1e-10));
    }
    SECTION("the most iterations")
    {
        s.method = Method::bicgstab;
        check_sides(small_wilson(), small_tiling(), s, {}, sources, until(1e-10, 9));
    }
}

TEST_CASE("right-hand sides: so many iterations exactly, and at most", "[rhs]")
{
    use_workers({.cpu = 1});
    const Setting s{GENERATE(Method::cr, Method::cg, Method::bicgstab)};
    const double tol = GENERATE(0.0, 1e-12);
    check_sides(small_wilson(0, 1.4), small_tiling(), s, {}, sources_of_sides(), until(tol, 7));
}

TEST_CASE("right-hand sides: CG goes on for those of which CR breaks down", "[rhs]")
{
    use_workers({.cpu = 1});
    ref::Wilson w = small_wilson();
    w.kappa = 0.01; // CR breaks down for a heavy quark
    std::vector<ref::Spinors> sources = sources_of_sides();
    for (std::size_t k = 0; k < sources[3].size(); ++k) sources[3][k] = k % 12 < 6 ? 1 : -1;
    check_sides(w, small_tiling(), {Method::cr, true}, {}, sources, until(1e-10));
}

TEST_CASE("right-hand sides: what cannot be is refused", "[rhs]")
{
    use_workers({.cpu = 1});
    CHECK_THROWS_WITH(LatticeGraph(small_tiling(), {}, {1, 1, 1, 1}, 0), "0 right-hand sides");
    CHECK_THROWS_WITH(TiledSolve(small_wilson(), small_tiling(), {Method::gcr}, {}, 2),
                      "several right-hand sides: not by gcr");
    TiledSolve two(small_wilson(), small_tiling(), {}, {}, 2);
    two.parts().run(until(0, 2));
    CHECK_THROWS_WITH(two.parts().state(), "the state of a solve: not of several right-hand sides");
}

// Several right-hand sides at once: each has the bits, counts and residuals of a solve of its own,
// on all tilings, workers and plans.

#include "solver/checkpoints.hpp"
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
    CHECK(together.preconditioner_applications == alone.preconditioner_applications);
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
    const std::vector<SolveReport> reports = together.parts().solve(control);
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

TEST_CASE("right-hand sides: linked workers exchange the faces and sums of all", "[rhs]")
{
    if (cores() < 2) return;
    use_workers({.cpu = 2, .scheduler = "dmdas"});
    Setting s{GENERATE(Method::cg, Method::bicgstab, Method::gcr)};
    const bool mixed = s.method != Method::bicgstab;
    if (mixed) s.sloppy = s.method == Method::cg ? Precision::f16 : Precision::f32;
    if (!mixed) s.precision = Precision::f32;
    s.even_odd = mixed;
    const Extents& l = small_lattice();
    const Tiling halves(l, Extents{1, 1, 1, 2}),
        uneven(l, {{{l[0]}, {l[1]}, {l[2]}, {2, l[3] - 2}}});
    INFO(name_of(s));
    check_sides(small_wilson(), mixed ? halves : uneven, s,
                {.kind = PlanKind::linked, .iterations = 3, .owners = {0, 1}}, sources_of_sides(),
                until(mixed ? 1e-8 : 1e-4));
}

TEST_CASE("right-hand sides: in two precisions what is rare, too", "[rhs][long]")
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

TEST_CASE("right-hand sides: by GCR, with preconditioners", "[rhs]")
{
    Setting s{.method = Method::gcr};
    const int which = GENERATE(0, 1, 2, 3, 4);
    const Workers workers = which == 4 ? any_workers() : Workers{.cpu = 1};
    use_workers(workers);
    INFO(name_of(workers));
    if (which == 1) s.sloppy = Precision::f32;
    if (which >= 2) s.preconditioning = Preconditioning{.iterations = 3};
    if (which == 3) s.preconditioning->method = Method::gcr;
    if (which == 4) {
        s.preconditioning->method = Method::cg;
        s.sloppy = Precision::f32;
    }
    INFO(name_of(s) << ", case " << which);
    check_sides(small_wilson(), small_tiling(), s, {}, sources_of_sides(), until(1e-9));
}

TEST_CASE("right-hand sides: guesses, each its own", "[rhs]")
{
    use_workers({.cpu = 1});
    Setting s{GENERATE(Method::cr, Method::cg, Method::bicgstab, Method::gcr)};
    if (s.method == Method::cg || s.method == Method::gcr) s.sloppy = Precision::f32;
    INFO(name_of(s));
    const std::vector<ref::Spinors> sources = sources_of_sides();
    TiledSolve together(small_wilson(), small_tiling(), s, {}, int(sources.size())),
        alone(small_wilson(), small_tiling(), s);
    std::vector<ref::Spinors> guesses(sources.size(), ref::Spinors(sources[0].size()));
    alone.solve(sources[0], until(1e-5));
    guesses[0] = alone.x(); // and for the last one noise, for the others 0
    guesses.back() = ref::det_spinor(small_lattice(), 3);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        together.parts().set_source(ref::ArraySource(small_lattice(), sources[i]), int(i));
        together.parts().set_guess(ref::ArraySource(small_lattice(), guesses[i]), int(i));
    }
    const std::vector<SolveReport> reports = together.parts().solve(until(1e-9), Guess::x);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        INFO("right-hand side " << i);
        alone.set_source(sources[i]);
        alone.parts().set_guess(ref::ArraySource(small_lattice(), guesses[i]));
        check_same(reports[i], alone.parts().solve(until(1e-9), Guess::x).front());
        CHECK(together.parts().digest_of_x(int(i)) == alone.digest());
    }
}

namespace
{

struct KeptStates : Checkpoints {
    int pause_in(int begin, int) override { return begin + 1; }
    void take(int, const std::function<std::vector<State>()>& all) override
    {
        states.push_back(all());
    }
    std::vector<std::vector<State>> states;
};

void check_resumed(const ref::Wilson& w, const Setting& s, const std::vector<ref::Spinors>& sources,
                   double tol)
{
    INFO(name_of(s));
    const auto set = [&](TiledSolve& solve) {
        for (std::size_t i = 0; i < sources.size(); ++i)
            solve.parts().set_source(ref::ArraySource(small_lattice(), sources[i]), int(i));
    };
    const int n = int(sources.size());
    TiledSolve once(w, small_tiling(), s, {}, n),
        other(w, Tiling(small_lattice(), Extents{1, 1, 1, 1}), s,
              {.kind = PlanKind::batch, .iterations = 3}, n);
    set(once);
    set(other);
    const std::vector<SolveReport> whole = once.parts().solve(until(tol));
    KeptStates kept;
    SolveControl control = until(tol);
    control.checkpoints = &kept;
    const std::vector<SolveReport> paused = other.parts().solve(control);
    for (int i = 0; i < n; ++i) check_same(paused[std::size_t(i)], whole[std::size_t(i)]);
    REQUIRE(kept.states.size() >= 2);
    for (const auto& states : kept.states) {
        INFO("from iteration " << states.front().iterations());
        const std::vector<SolveReport> resumed = other.parts().resume(states, until(tol));
        for (int i = 0; i < n; ++i) {
            INFO("right-hand side " << i);
            check_same(resumed[std::size_t(i)], whole[std::size_t(i)]);
            CHECK(other.parts().digest_of_x(i) == once.parts().digest_of_x(i));
        }
    }
}

} // namespace

TEST_CASE("right-hand sides: resumed from each checkpoint to the same bits", "[rhs]")
{
    use_workers({.cpu = 1});
    SECTION("of one method")
    {
        check_resumed(small_wilson(),
                      {GENERATE(Method::cr, Method::cg, Method::bicgstab, Method::gcr)},
                      sources_of_sides(), 1e-9);
    }
    SECTION("of CG that goes on for some of which CR breaks down")
    {
        ref::Wilson w = small_wilson();
        w.kappa = 0.01;
        std::vector<ref::Spinors> sources = sources_of_sides();
        for (std::size_t k = 0; k < sources[3].size(); ++k) sources[3][k] = k % 12 < 6 ? 1 : -1;
        check_resumed(w, {Method::cr}, sources, 1e-10);
    }
}

TEST_CASE("right-hand sides: none is refused", "[rhs]")
{
    use_workers({.cpu = 1});
    CHECK_THROWS_WITH(LatticeGraph(small_tiling(), {}, {1, 1, 1, 1}, 0), "0 right-hand sides");
}

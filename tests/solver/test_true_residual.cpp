// What is asked for is the true residual; and sources whose squares are no ordinary numbers.

#include "base/error.hpp"
#include "lattice/source_scale.hpp"
#include "lattice/true_residual.hpp"
#include "solver/checkpoints.hpp"
#include "tests/solver/tiled_solve.hpp"

#include <limits>

using namespace qcd;
using namespace qcd::test;

namespace
{

/// Links near 1 and a source that is nearly the same everywhere: b_e + kappa H b_o is 1.3 times b.
ref::Wilson far_wilson()
{
    const Extents l{4, 4, 4, 4};
    return {l, in_single(ref::gen_gauge(l, 3, 0.1)), 0.115, 0, false};
}

Tiling far_tiling() { return Tiling({4, 4, 4, 4}, Extents{1, 1, 2, 2}); }

ref::Spinors far_source(int seed = 1)
{
    ref::Spinors b = ref::det_spinor({4, 4, 4, 4}, std::uint64_t(seed));
    for (ref::Complex& z : b) z = 2. + 0.2 * z;
    return in_single(b);
}

/// The plain loops sum in another order.
double about(double tol) { return tol * (1 + 1e-5); }

ref::Spinors times(double factor, ref::Spinors psi)
{
    for (ref::Complex& z : psi) z *= factor;
    return psi;
}

Setting setting_of(Method method, std::optional<Precision> sloppy)
{
    Setting s;
    s.method = method;
    s.sloppy = sloppy;
    s.links = sloppy == Precision::f16 ? LinkStorage::two_rows : LinkStorage::full;
    return s;
}

} // namespace

TEST_CASE("the goal tightens the tolerance while that brings something")
{
    const SolveFacts facts{.kappa = 0.1};
    TrueResidualGoal goal(1e-10);
    CHECK(goal.next(0.9e-10, 1.8e-10, facts).value() == Approx(0.5e-10));
    CHECK(goal.next(0.8e-10, 1.05e-10, facts).value() == Approx(0.8e-10 / 1.05));
    CHECK_FALSE(goal.next(0.7e-10, 1.049e-10, facts)); // rounding keeps it there
    CHECK_FALSE(TrueResidualGoal(1e-10).next(1e-10, 1e-10, facts));
    CHECK_FALSE(
        TrueResidualGoal(1e-10).next(1e-10, std::numeric_limits<double>::quiet_NaN(), facts));
    // Twice the own residual is explained; more is a fault, which going on would hide.
    CHECK(TrueResidualGoal(1e-10).next(1e-10, 1.99e-10, facts));
    CHECK_FALSE(TrueResidualGoal(1e-10).next(1e-10, 2.01e-10, facts));
}

TEST_CASE("a solve ends where the true residual is what was asked for", "[solver]")
{
    use_workers({.cpu = 1});
    const Method method = GENERATE(Method::cr, Method::cg, Method::bicgstab, Method::gcr);
    const auto sloppy = GENERATE(std::optional<Precision>(), std::optional(Precision::f32));
    const Setting s = setting_of(method, sloppy);
    const Plan plan = GENERATE(Plan{}, Plan{.kind = PlanKind::batch, .iterations = 3});
    INFO(name_of(s));
    TiledSolve problem(far_wilson(), far_tiling(), s, plan);
    const SolveReport report = problem.solve(far_source(), until(1e-10));
    REQUIRE(report.converged);
    CHECK(problem.true_residual() <= about(1e-10));
    CHECK(problem.verified().residual <= 1e-10);
    CHECK(int(report.history.size()) == report.iterations + 1);
    CHECK(report.residual < 0.9e-10); // of the even sites: the tolerance alone would not do
}

TEST_CASE("a solve says where no tolerance brings the true residual down", "[solver]")
{
    use_workers({.cpu = 1});
    Setting s;
    s.method = Method::cg;
    TiledSolve problem(small_wilson(), small_tiling(), s);
    const SolveReport report = problem.solve(small_source(), until(1e-17, 2000));
    CHECK(problem.verified().residual > 1e-17);
    CHECK(problem.verified().residual < 1e-14);
    CHECK(report.iterations < 2000);
}

TEST_CASE("right-hand sides: each has the true residual, and the bits of its own solve", "[rhs]")
{
    use_workers({.cpu = 1});
    const Method method = GENERATE(Method::cr, Method::cg, Method::bicgstab);
    const auto sloppy = GENERATE(std::optional<Precision>(), std::optional(Precision::f32));
    const Setting s = setting_of(method, sloppy);
    INFO(name_of(s));
    const double huge = std::ldexp(1, 600), tiny = std::ldexp(1, -600);
    const std::vector<ref::Spinors> sources{far_source(1), ref::Spinors(12 * 256),
                                            times(tiny, far_source(2)), times(huge, far_source(3))};
    TiledSolve together(far_wilson(), far_tiling(), s, {}, int(sources.size()));
    for (std::size_t i = 0; i < sources.size(); ++i)
        together.parts().set_source(ref::ArraySource({4, 4, 4, 4}, sources[i]), int(i));
    const std::vector<SolveReport> reports = together.parts().solve(until(1e-10));
    const std::vector<SolutionSums> sums = together.parts().verify_all();
    for (std::size_t i = 0; i < sources.size(); ++i) {
        INFO("right-hand side " << i);
        TiledSolve alone(far_wilson(), far_tiling(), s);
        const SolveReport own = alone.solve(sources[i], until(1e-10));
        CHECK(reports[i].history == own.history);
        CHECK(reports[i].operator_applications == own.operator_applications);
        CHECK(together.parts().digest_of_x(int(i)) == alone.digest());
        CHECK(sums[i].residual == alone.verified().residual);
        CHECK(sums[i].residual <= 1e-10);
    }
}

namespace
{

/// Takes the state after so many iterations, and asks for no other.
class OneState : public Checkpoints
{
public:
    explicit OneState(int iteration) : iteration_(iteration) {}
    int pause_in(int begin, int end) override
    {
        return begin < iteration_ && iteration_ <= end ? iteration_ : 0;
    }
    void take(int, const std::function<std::vector<State>()>& states) override
    {
        state_ = states().front();
    }
    std::optional<State> state_;

private:
    int iteration_;
};

} // namespace

TEST_CASE("state: what was resumed goes on to the true residual, to the same bits", "[solver]")
{
    use_workers({.cpu = 1});
    const Setting s = setting_of(GENERATE(Method::cg, Method::cr, Method::bicgstab), {});
    INFO(name_of(s));
    TiledSolve once(far_wilson(), far_tiling(), s);
    OneState checkpoints(5);
    SolveControl control = until(1e-10);
    control.checkpoints = &checkpoints;
    const SolveReport whole = once.solve(far_source(), control);
    REQUIRE(checkpoints.state_);
    TiledSolve again(far_wilson(), far_tiling(), s);
    again.set_source(far_source());
    const SolveReport rest = again.resume(*checkpoints.state_, until(1e-10));
    CHECK(rest.history == whole.history);
    CHECK(again.digest() == once.digest());
    CHECK(again.verified().residual <= 1e-10);
}

TEST_CASE("a source times a power of two has the solution times it, bit for bit", "[solver]")
{
    use_workers({.cpu = 1});
    const Method method = GENERATE(Method::cr, Method::cg, Method::bicgstab, Method::gcr);
    const auto sloppy = GENERATE(std::optional<Precision>(), std::optional(Precision::f32),
                                 std::optional(Precision::f16));
    if (method == Method::gcr && sloppy == Precision::f16) return; // there is none
    const Setting s = setting_of(method, sloppy);
    INFO(name_of(s));
    const ref::Wilson w = small_unitary_wilson();
    TiledSolve one(w, small_tiling(), s), other(w, small_tiling(), s);
    const SolveReport expected = one.solve(small_source(), until(1e-10));
    const ref::Spinors x = one.x();
    // |b|^2 is 0, no number to all digits, what it is, and infinite.
    for (const int power : {-800, -530, -60, 60, 800}) {
        INFO("2^" << power);
        const SolveReport report =
            other.solve(times(std::ldexp(1, power), small_source()), until(1e-10));
        CHECK(report.history == expected.history);
        CHECK(report.converged);
        CHECK(other.x() == times(std::ldexp(1, power), x));
        const SolutionSums sums = other.verified();
        CHECK(sums.residual == one.verified().residual);
        CHECK(sums.heavy_quark == one.verified().heavy_quark);
        CHECK(sums.x_over_b == one.verified().x_over_b);
        if (std::abs(power) < 500)
            CHECK(sums.norm2 == std::ldexp(one.verified().norm2, 2 * power));
        else
            CHECK(std::isnan(sums.norm2));
        // From its own solution there is nothing to do.
        other.parts().set_guess(ref::ArraySource(small_lattice(), times(std::ldexp(1, power), x)));
        CHECK(other.parts().solve(until(2e-10), Guess::x).front().iterations == 0);
    }
}

TEST_CASE("a source is 0 only if all its words are, and what cannot be stored is refused",
          "[solver]")
{
    use_workers({.cpu = 1});
    Setting s;
    s.method = Method::cg;
    s.precision = any_precision();
    const bool f64 = s.precision == Precision::f64;
    TiledSolve problem(small_wilson(), small_tiling(), s);
    const auto set = [&](int power) {
        problem.set_source(times(std::ldexp(1, power), small_source()));
    };
    for (const int power : f64 ? std::vector{-1060, -950, 950} : std::vector{-1060, -150, 110})
        CHECK_THROWS_WITH(set(power), Catch::Contains("source: its largest real is") &&
                                          Catch::Contains(f64 ? "in double" : "in single"));
    CHECK_THROWS_WITH(problem.parts().set_guess(ref::ArraySource(
                          small_lattice(), times(std::ldexp(1, f64 ? 500 : 100), small_source()))),
                      Catch::Contains("guess: its largest real is"));
    set(f64 ? -800 : -90);
    CHECK(problem.parts().solve(until(f64 ? 1e-10 : 1e-5)).front().iterations > 3);
    problem.set_source(ref::Spinors(small_source().size()));
    const SolveReport report = problem.parts().solve(until(1e-10)).front();
    CHECK(report.iterations == 0);
    CHECK(report.converged);
    CHECK(ref::norm2(problem.x()) == 0);
}

// When a run counts as verified.

#include "drivers/verification.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace qcd;

namespace
{

/// A solve in single precision that has converged to 1e-5; |x| = 2 |b|, |D| <= 2.
RunReport single_run()
{
    RunReport r;
    r.problem.kappa = 0.125;
    r.problem.precision = "single";
    r.solution.norm2 = 4;
    r.solution.source_norm2 = 1;
    r.iterations = 100;
    r.converged = true;
    r.residual.requested = 1e-5;
    r.residual.iterated = 9e-6;
    r.residual.recomputed = 1.9e-5;
    return r;
}

bool verified(RunReport r)
{
    verify(r);
    return r.verified;
}

} // namespace

TEST_CASE("what has converged keeps twice what was requested, rounding or not")
{
    RunReport r = single_run();
    CHECK(verified(r));
    r.residual.recomputed = 2.1e-5;
    CHECK_FALSE(verified(r));
    r.problem.kappa = 1e6; // |D| says nothing then, ten times as much as asked for does
    CHECK(verified(r));
    r.residual.recomputed = 1.1e-4;
    CHECK_FALSE(verified(r));
    r.problem.kappa = 0.125;
    r.residual.requested = 1e-12;
    r.residual.iterated = 9e-13;
    r.residual.recomputed = 3e-6; // less than rounding_gap
    CHECK_FALSE(verified(r));
    r.residual.recomputed = std::numeric_limits<double>::quiet_NaN();
    CHECK_FALSE(verified(r));
}

TEST_CASE("what promises no residual keeps what it iterated, but for rounding")
{
    RunReport r = single_run();
    const double gap = 4 * std::ldexp(1, -24) * 100 * 2 * 2;
    CHECK(rounding_gap(r) == Approx(gap));
    r.residual.iterated = 1e-12;
    for (const bool fixed : {true, false}) {
        r.fixed_iterations = fixed;
        r.converged = fixed; // an exact zero also ends a run of fixed length
        r.residual.recomputed = 0.99 * gap;
        CHECK(verified(r));
        r.residual.recomputed = 1.01 * gap;
        CHECK_FALSE(verified(r));
    }
    r.problem.precision = "double";
    CHECK(rounding_gap(r) == Approx(std::ldexp(gap, -29)));
    r.problem.mubar = -2;
    CHECK(rounding_gap(r) == Approx(std::ldexp(2 * gap, -29)));
    r.solution.source_norm2 = 0; // x = 0 solves it
    CHECK(rounding_gap(r) == 0);
}

// When a run counts as verified.

#include "drivers/run/verification.hpp"

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
    r.solution.x_over_b = 2;
    r.iterations = 100;
    r.converged = true;
    r.residual.requested = 1e-5;
    r.residual.iterated = 9e-6;
    r.residual.recomputed = 9.5e-6;
    return r;
}

Verification verification(RunReport r)
{
    verify(r);
    return r.verification;
}

bool verified(const RunReport& r) { return verification(r) == Verification::passed; }

} // namespace

TEST_CASE("what has converged keeps what was requested, rounding or not")
{
    RunReport r = single_run();
    CHECK(verified(r));
    r.residual.recomputed = 1.01e-5;
    CHECK_FALSE(verified(r));
    r.problem.kappa = 1e6; // |D| says nothing
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
    CHECK(rounding_gap(facts_of(r)) == Approx(gap));
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
    CHECK(rounding_gap(facts_of(r)) == Approx(std::ldexp(gap, -29)));
    r.problem.mubar = -2;
    CHECK(rounding_gap(facts_of(r)) == Approx(std::ldexp(2 * gap, -29)));
    r.problem.csw = 2 / (6 * r.problem.kappa);
    CHECK(rounding_gap(facts_of(r)) == Approx(std::ldexp(3 * gap, -29)));
    r.solution.x_over_b = 0; // x = 0 solves it
    CHECK(rounding_gap(facts_of(r)) == 0);
}

TEST_CASE("an x that is no better than 0 is not called verified")
{
    RunReport r = single_run();
    r.problem.precision = "double";
    r.fixed_iterations = GENERATE(true, false);
    r.converged = false;
    r.residual.iterated = r.residual.recomputed = 0.999;
    CHECK(verified(r));
    for (const double residual : {1.0, 4e20}) {
        r.residual.iterated = r.residual.recomputed = residual;
        CHECK(verification(r) == Verification::nothing);
    }
    r.residual.recomputed = 2.1 * r.residual.iterated;
    CHECK(verification(r) == Verification::failed);
}

TEST_CASE("where rounding alone may be as large as b, nothing is verified")
{
    RunReport r = single_run(); // a singular D: x grows along its zero modes
    r.problem.precision = "double";
    r.iterations = 10000;
    r.converged = false;
    r.residual.iterated = 0.1;
    r.residual.recomputed = 0.7;
    r.solution.x_over_b = 1e15;
    CHECK(rounding_gap(facts_of(r)) > 1);
    CHECK(verification(r) == Verification::nothing);
    r.solution.x_over_b = 2;
    CHECK(verification(r) == Verification::failed);
    r.solution.x_over_b = 1e15; // what was asked for says more
    r.converged = true;
    r.residual.recomputed = 9.5e-6;
    CHECK(verified(r));
}

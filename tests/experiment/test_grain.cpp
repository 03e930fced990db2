#include "experiment/grain.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace qcd::experiment;

namespace
{

constexpr double us = 1e-6;

/// Workers that need so long for each task beside its work, and wait for nobody.
TaskRun run_of(double size, double overhead, int workers = 4, double tasks = 1000)
{
    return {.seconds = tasks * (size + overhead) / workers,
            .work = tasks * size,
            .tasks = tasks,
            .workers = workers};
}

/// Sizes of 1 to 512 us.
std::vector<TaskRun> sizes_with(double overhead)
{
    std::vector<TaskRun> runs;
    for (double size = 512 * us; size > 0.9 * us; size /= 2) runs.push_back(run_of(size, overhead));
    return runs;
}

} // namespace

TEST_CASE("grain: efficiency, size and overhead of a run", "[grain]")
{
    const TaskRun r{.seconds = 2, .work = 6, .tasks = 100, .workers = 4};
    CHECK(r.efficiency() == Approx(0.75));
    CHECK(r.size() == Approx(0.06));
    CHECK(r.overhead() == Approx(0.02));
    const GrainPoint p = point_of({r, {.seconds = 3, .work = 6, .tasks = 100, .workers = 4}}, 0.95);
    CHECK(p.efficiency.mean == Approx(0.625));
    CHECK(p.overhead.mean == Approx(0.04));
    CHECK(p.size.mean == Approx(0.06));
    CHECK(p.seconds.n == 2);
}

TEST_CASE("grain: half of the time is work where a task works as long as the rest takes", "[grain]")
{
    CHECK(half_grain(sizes_with(8 * us)) == Approx(8 * us)); // one of the sizes
    // Between two sizes the curve e/(1 + e) is nearly a line in the logarithm.
    CHECK(half_grain(sizes_with(11 * us)) == Approx(11 * us).epsilon(0.01));
    // The order of the sizes does not matter.
    auto turned = sizes_with(11 * us);
    std::reverse(turned.begin(), turned.end());
    CHECK(half_grain(turned) == half_grain(sizes_with(11 * us)));
}

TEST_CASE("grain: it may be out of reach of the sizes", "[grain]")
{
    CHECK(half_grain(sizes_with(0.5 * us)) == 0);
    CHECK(half_grain(sizes_with(2000 * us)) == std::numeric_limits<double>::infinity());
    CHECK(half_grain(std::vector{run_of(8 * us, 8 * us)}) == 0); // one size that is just enough
}

TEST_CASE("grain: rounds give an interval where all have it", "[grain]")
{
    const std::vector<double> overheads{8, 11, 9.5, 10, 8.7};
    std::vector<std::vector<TaskRun>> rounds;
    for (const double o : overheads) rounds.push_back(sizes_with(o * us));
    const HalfGrain all = half_grain(rounds, 0.95);
    CHECK(all.rounds == 5);
    CHECK(all.below == 0);
    CHECK(all.above == 0);
    REQUIRE(all.seconds);
    REQUIRE(all.interval);
    double logs = 0;
    for (const double o : overheads) logs += std::log(o) / double(overheads.size());
    CHECK(*all.seconds == Approx(std::exp(logs) * us).epsilon(0.01));
    CHECK(all.interval->low < *all.seconds);
    CHECK(*all.seconds < all.interval->high);
    // The interval is as wide to either side in the logarithm.
    CHECK(all.interval->low * all.interval->high == Approx(*all.seconds * *all.seconds));

    rounds.push_back(sizes_with(0.5 * us));
    const HalfGrain most = half_grain(rounds, 0.95);
    CHECK(most.below == 1);
    CHECK(*most.seconds == Approx(*all.seconds));
    CHECK(!most.interval);

    const HalfGrain few = half_grain({sizes_with(8 * us), sizes_with(2000 * us), {}}, 0.95);
    CHECK(few.rounds == 2); // a round without runs is none
    CHECK(few.above == 1);
    CHECK(!few.seconds);

    const HalfGrain one = half_grain({sizes_with(8 * us)}, 0.95);
    CHECK(*one.seconds == Approx(8 * us));
    CHECK(!one.interval);
    CHECK(half_grain(std::vector<std::vector<TaskRun>>{}, 0.95).rounds == 0);
}

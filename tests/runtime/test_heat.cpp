// Runtime without QCD: heat on a plane is the same, to the last digit, on any tiling by any plan.

#include "drivers/bench/heat.hpp"
#include "runtime/session.hpp"
#include "tests/runtime/session.hpp"
#include "tests/seed.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>
#include <random>

using namespace qcd;
using namespace qcd::test;

namespace
{

constexpr std::array extents{23, 70};
constexpr int steps = 20; // some are left when a schedule of two periods is known

std::vector<int> random_heat()
{
    std::mt19937 random(seed(1));
    std::vector<int> u(extents[0] * extents[1]);
    for (int& cell : u) cell = std::uniform_int_distribution(0, 1 << 20)(random);
    return u;
}

/// The steps by a loop over all cells.
std::vector<int> plain_step(const std::vector<int>& u, const Grid<2>::Open& open)
{
    std::vector<int> next = u;
    const auto at = [](int x, int y) { return x + y * extents[0]; };
    for (int y = 0; y < extents[1]; ++y)
        for (int x = 0; x < extents[0]; ++x)
            for (const auto& [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
                const int there_x = x + dx, there_y = y + dy;
                if (open[0] && (there_x < 0 || there_x == extents[0])) continue;
                if (open[1] && (there_y < 0 || there_y == extents[1])) continue;
                next[at(x, y)] += u[at((there_x + extents[0]) % extents[0],
                                       (there_y + extents[1]) % extents[1])] /
                                      8 -
                                  u[at(x, y)] / 8;
            }
    return next;
}

const std::vector<Grid<2>::Thickness>& tilings()
{
    static const std::vector<Grid<2>::Thickness> all = {
        {{{23}, {70}}},
        {{{11, 12}, {70}}},
        {{{23}, {1, 68, 1}}},
        {{{5, 1, 17}, {33, 2, 35}}},
        {{std::vector<int>(23, 1), {40, 30}}},
    };
    return all;
}

/// Workers, and a plan for them.
struct Way {
    Workers workers;
    Plan plan;
    std::string name() const
    {
        return fmt::format("plan {}, {} workers of {} cores, scheduler {}", to_string(plan.kind),
                           workers.cpu, plan.cores_per_worker, workers.scheduler);
    }
};

std::vector<Way> ways()
{
    return {{{.cpu = 1}, {}},
            {{.cpu = cores(), .scheduler = "lws"}, {}},
            {{.cpu = cores(), .scheduler = "dmdas"}, {}},
            {{.cpu = cores()}, {.kind = PlanKind::pinned}},
            {{.cpu = 1}, {.kind = PlanKind::batch, .iterations = 4}},
            {{.cpu = 1}, {.kind = PlanKind::batch, .iterations = 4, .cores_per_worker = 2}},
            {{.cpu = 1}, {.kind = PlanKind::replay, .iterations = 3}},
            {{.cpu = cores(), .scheduler = "lws"}, {.kind = PlanKind::replay, .iterations = 3}},
            {{.cpu = cores(), .scheduler = "random"}, {.kind = PlanKind::replay, .iterations = 3}}};
}

/// The workers' plan, when they have started.
Plan start(const Way& way)
{
    use_workers(way.workers);
    Plan plan = way.plan;
    if (plan.kind == PlanKind::pinned) {
        plan.owners.resize(way.workers.cpu);
        starpu_worker_get_ids_by_type(STARPU_CPU_WORKER, plan.owners.data(), way.workers.cpu);
    }
    if (plan.kind == PlanKind::replay) plan.schedules = make_schedules();
    return plan;
}

void advance(Graph& graph, Heat& heat)
{
    Graph::Batch batch(graph);
    for (int i = 1; i <= steps; ++i) {
        {
            const Graph::Iteration mark(graph, i);
            heat.step();
        }
        if (i % graph.plan().iterations == 0) batch.flush();
    }
}

} // namespace

TEST_CASE("heat on any tiling by any plan is that of a plain loop", "[heat]")
{
    if (!has_workers("cpu")) return;
    const std::vector<int> u = random_heat();
    for (const Grid<2>::Open open : {Grid<2>::Open{false, false}, {true, true}, {true, false}}) {
        std::vector<int> expected = u;
        for (int i = 0; i < steps; ++i) expected = plain_step(expected, open);
        REQUIRE(expected != u);
        for (const Way& way : ways()) {
            const Plan plan = start(way);
            for (const Grid<2>::Thickness& thickness : tilings()) {
                INFO(way.name());
                INFO(fmt::format("parts of {} in x, {} in y, open: {}", thickness[0], thickness[1],
                                 open));
                Graph graph(plan);
                Heat heat(graph, {extents, thickness, 1, open}, u);
                advance(graph, heat);
                CHECK(heat.cells() == expected);
                CHECK(heat.total() == std::accumulate(u.begin(), u.end(), std::int64_t(0)));
            }
        }
    }
}

TEST_CASE("heat: tasks are operations on parts, or batches of whole steps", "[heat]")
{
    if (!has_workers("cpu")) return;
    use_workers({.cpu = 1});
    const auto tasks_of = [](const Plan& plan) {
        Graph graph(plan);
        Heat heat(graph, {extents, Grid<2>::Coord{3, 2}}, random_heat());
        advance(graph, heat);
        return graph.tasks();
    };
    CHECK(tasks_of({}) == steps * 6 * 2);
    CHECK(tasks_of({.kind = PlanKind::pinned, .owners = {0}}) == steps * 6 * 2);
    CHECK(tasks_of({.kind = PlanKind::batch, .iterations = 4}) == steps / 4);
}

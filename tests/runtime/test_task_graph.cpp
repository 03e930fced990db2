// What is recorded of a graph: each operation waits for what it has to, and for nothing else.

#include "drivers/bench/heat.hpp"
#include "runtime/session.hpp"
#include "runtime/task_graph.hpp"
#include "runtime/task_stamps.hpp"
#include "tests/runtime/session.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>

using namespace qcd;
using namespace qcd::test;

namespace
{

/// The graph of `steps` steps on 2x2 parts: nodes come as faces and then steps of all parts.
TaskGraph recorded(const Plan& plan, int steps, std::size_t most = GraphRecord::most_nodes)
{
    Graph graph(plan);
    Heat heat(graph, {Grid<2>::Coord{12, 8}, Grid<2>::Coord{2, 2}}, std::vector<int>(12 * 8, 8));
    heat.step();
    GraphRecord record(graph, most);
    for (int i = 0; i < steps; ++i) {
        const Graph::Iteration mark(graph, i);
        heat.step();
    }
    graph.wait();
    return record.take();
}

/// Parts that are waited for, of these operations.
std::vector<int> parts_before(const TaskGraph& g, std::size_t node, const std::string& operation)
{
    std::vector<int> parts;
    for (const int before : g.waits_for(node))
        if (g.nodes[std::size_t(before)].codelet->name == operation)
            parts.push_back(g.nodes[std::size_t(before)].part);
    std::sort(parts.begin(), parts.end());
    return parts;
}

} // namespace

TEST_CASE("a recorded graph has each operation, with what it waits for", "[task graph]")
{
    use_workers({.cpu = 2});
    const int steps = 3;
    const TaskGraph g = recorded({}, steps);
    REQUIRE(g.nodes.size() == 2 * 4 * steps);
    CHECK(g.whole);
    for (std::size_t i = 0; i < g.nodes.size(); ++i) {
        const TaskGraph::Node& n = g.nodes[i];
        CHECK(n.iteration == int(i) / 8);
        for (const int before : g.waits_for(i)) CHECK(before < int(i));
        // Of the parts beside it and, since memory is written again when all have read it, of
        // its own in the iteration before; not of the one across the corner.
        std::vector<int> around{0, 1, 2, 3};
        std::erase(around, 3 - n.part);
        const bool step = n.codelet->name == heat_step_codelet().name;
        if (step && n.iteration == 0) std::erase(around, n.part);
        if (step || n.iteration > 0)
            CHECK(parts_before(g, i, (step ? heat_faces_codelet() : heat_step_codelet()).name) ==
                  around);
    }
    // Faces, step, faces, step ...
    CHECK(critical_path(g, std::vector(g.nodes.size(), 1.0)) == 2 * steps);
}

TEST_CASE("a graph with more operations than are kept says so", "[task graph]")
{
    use_workers({.cpu = 2});
    const TaskGraph g = recorded({}, 3, 10);
    CHECK(g.nodes.size() == 10);
    CHECK_FALSE(g.whole);
}

TEST_CASE("stamps: of each task, and its steps one after another", "[task graph]")
{
    use_workers({.cpu = 2});
    const std::size_t most = GENERATE(std::size_t(StampRecord::most_tasks), std::size_t(10));
    const int steps = 20;
    Graph graph({});
    Heat heat(graph, {Grid<2>::Coord{12, 8}, Grid<2>::Coord{2, 2}}, std::vector<int>(12 * 8, 8));
    heat.step();
    graph.wait();
    const long before = graph.operations();
    const Profiling profiling;
    const double began = StampRecord::now();
    StampRecord record(graph, most);
    for (int i = 0; i < steps; ++i) heat.step();
    const std::vector<TaskStamps> all = record.take();
    const double ended = StampRecord::now();
    const auto tasks = std::size_t(graph.operations() - before);
    CHECK(all.size() == std::min(tasks, most));
    CHECK(record.whole() == (all.size() == tasks));
    CHECK(record.submitting() > 0);
    CHECK(record.submitting() < ended - began);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const TaskStamps& t = all[i];
        CHECK(t.number == before + long(i));
        CHECK((t.worker == 0 || t.worker == 1));
        const std::array steps_of_task{began,       t.submitted, t.push_began,  t.push_ended,
                                       t.pop_began, t.pop_ended, t.fetch_began, t.fetch_ended,
                                       t.started,   t.ended,     t.told,        ended};
        CHECK(std::is_sorted(steps_of_task.begin(), steps_of_task.end()));
        CHECK(t.ended > t.started);
    }
}

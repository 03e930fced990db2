// Graphs: scopes of batches, several graphs in one session, several sessions in one process.

#include "base/error.hpp"
#include "solver/dirac_solve.hpp"
#include "tasks/updates.hpp"
#include "tests/tasks/graph.hpp"

#include <stdexcept>

using namespace qcd;
using namespace qcd::test;

namespace
{

constexpr Extents lattice{4, 4, 2, 8};

/// A field of a graph of batches, and how often it was doubled.
struct Doubled {
    explicit Doubled(Plan plan = {.kind = PlanKind::batch, .iterations = 8})
        : graph(Tiling(lattice, Extents{1, 1, 1, 2}), std::move(plan)),
          field(field_of(graph, Precision::f64, Sites::all, psi)),
          other(field_of(graph, Precision::f64, Sites::all, psi))
    {
        graph.wait();
        tasks = graph.tasks();
    }
    void twice()
    {
        scale(spin::real(2), *field, *other);
        std::swap(field, other);
    }
    /// Tasks since then.
    long used() const { return graph.tasks() - tasks; }
    bool is(double factor) const
    {
        return ref::distance(values(*field), ref::combine(factor, psi, 0, psi)) == 0;
    }

    const ref::Spinors psi = ref::det_spinor(lattice, 1);
    LatticeGraph graph;
    std::unique_ptr<SpinorField> field, other;
    long tasks;
};

} // namespace

TEST_CASE("a batch goes to StarPU at its end, at a flush, and when something is waited for",
          "[graph]")
{
    use_workers({.cpu = 1});
    Doubled d;
    {
        Graph::Batch batch(d.graph);
        for (int i = 0; i < 3; ++i) {
            const Graph::Iteration mark(d.graph, i);
            d.twice();
        }
        CHECK(d.used() == 0);
        batch.flush();
        CHECK(d.used() == 1);
        batch.flush(); // nothing is left
        d.twice();
        CHECK(d.is(16)); // waits
        CHECK(d.used() == 2);
        d.twice();
    }
    CHECK(d.used() == 3);
    CHECK(d.is(32));
}

TEST_CASE("batches nest: an inner one is a task of its own, in its place", "[graph]")
{
    use_workers({.cpu = 1});
    Doubled d;
    {
        Graph::Batch outer(d.graph);
        d.twice();
        {
            Graph::Batch inner(d.graph);
            CHECK(d.used() == 1);
            d.twice();
        }
        CHECK(d.used() == 2);
        d.twice();
    }
    CHECK(d.used() == 3);
    CHECK(d.is(8));
}

TEST_CASE("a batch that an exception leaves drops what it has not submitted, and no more",
          "[graph]")
{
    use_workers({.cpu = 1});
    Doubled d;
    {
        Graph::Batch outer(d.graph);
        d.twice();
        try {
            Graph::Batch inner(d.graph);
            d.twice();
            inner.flush();
            d.twice();
            std::swap(d.field, d.other); // as it will not have happened
            throw std::runtime_error("");
        } catch (const std::runtime_error&) {
        }
        d.twice();
    }
    CHECK(d.is(8));
}

TEST_CASE("in other plans a task is one operation on one tile, batch or not", "[graph]")
{
    use_workers({.cpu = 1});
    Doubled d(Plan{});
    const Graph::Batch batch(d.graph);
    d.twice();
    CHECK(d.used() == 4); // two parities, two tiles
}

TEST_CASE("every second sweep goes the other way", "[graph]")
{
    LatticeGraph graph(Tiling(lattice, Extents{1, 1, 1, 4}));
    std::vector<int> order;
    for (int i = 0; i < 2; ++i) graph.sweep([&](int tile) { order.push_back(tile); });
    CHECK(order == std::vector{3, 2, 1, 0, 0, 1, 2, 3});
}

TEST_CASE("a plan of linked workers needs a tile for each", "[graph]")
{
    if (cores() < 2) return;
    use_workers({.cpu = 2});
    const auto linked = [](const Extents& tiles, std::vector<int> owners) {
        LatticeGraph(Tiling(lattice, tiles),
                     Plan{.kind = PlanKind::linked, .owners = std::move(owners)});
    };
    CHECK_THROWS_AS(linked({1, 1, 1, 4}, {0, 1}), Error);
    CHECK_THROWS_AS(linked({1, 1, 1, 1}, {0}), Error);
    CHECK_NOTHROW(linked({1, 1, 1, 2}, {0, 1}));
}

namespace
{

std::uint64_t digest_of_solve(const Extents& l, Plan plan, const Extents& tiles)
{
    LatticeGraph graph(Tiling(l, tiles), std::move(plan));
    ref::ArrayGauge gauge(l, ref::gen_gauge(l, 7, 0.3));
    DiracSolve solve(graph, {.dirac = {0.1, 0}}, gauge);
    solve.set_source(ref::ArraySource(l, ref::det_spinor(l, 1)));
    solve.solve({.tol = 0, .max_iterations = 6, .progress = {}});
    return solve.digest_of_x();
}

} // namespace

TEST_CASE("two lattices in one session, and two sessions one after the other", "[graph]")
{
    constexpr Extents other{4, 2, 6, 4};
    const Plan batch{.kind = PlanKind::batch, .iterations = 4};
    std::uint64_t first[2] = {};
    for (const Workers& workers : all_workers()) {
        use_workers(workers);
        INFO(name_of(workers));
        // Both at once, their tasks mixed.
        LatticeGraph a(Tiling(lattice, Extents{1, 1, 1, 2})), b(Tiling(other, Extents{1, 1, 3, 1}));
        const ref::Spinors psi_a = ref::det_spinor(lattice, 1), psi_b = ref::det_spinor(other, 2);
        const auto x = field_of(a, Precision::f64, Sites::all, psi_a),
                   twice_x = field_of(a, Precision::f64, Sites::all, psi_a),
                   y = field_of(b, Precision::f32, Sites::even, psi_b),
                   half_y = field_of(b, Precision::f32, Sites::even, psi_b);
        for (int i = 0; i < 3; ++i) {
            scale(spin::real(2), i % 2 ? *twice_x : *x, i % 2 ? *x : *twice_x);
            scale(spin::real(0.5), i % 2 ? *half_y : *y, i % 2 ? *y : *half_y);
        }
        const ref::Spinors even_b = in_single(ref::only_parity(other, psi_b, 0));
        CHECK(ref::distance(values(*twice_x), ref::combine(8, psi_a, 0, psi_a)) == 0);
        CHECK(ref::distance(values(*half_y), ref::combine(0.125, even_b, 0, psi_b)) == 0);
        // One after the other, by different plans.
        const std::uint64_t digests[] = {digest_of_solve(lattice, {}, {1, 1, 1, 2}),
                                         digest_of_solve(other, batch, {1, 1, 1, 1})};
        CHECK(digest_of_solve(lattice, batch, {1, 1, 1, 1}) == digests[0]);
        for (int i = 0; i < 2; ++i) {
            if (first[i] == 0) first[i] = digests[i];
            CHECK(digests[i] == first[i]);
        }
    }
}

// What the workers of a graph did, on stamps made up here.

#include "codelets/xpay/xpay.hpp"
#include "drivers/compare/runtime_split.hpp"
#include "tests/drivers/draws.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>

using namespace qcd;
using namespace qcd::test;

namespace
{

constexpr long first = 100; // number of the graph's first operation

struct Made {
    Stamped stamped;
    TaskGraph graph;
    void add(TaskStamps t, std::span<const int> waits_for)
    {
        t.number = first + long(graph.nodes.size());
        stamped.tasks.push_back(t);
        graph.add({&xpay_codelet(Precision::f64), {}, 0, 0}, waits_for);
    }
    RuntimeSplit split(int workers) const
    {
        const auto s = split_of(stamped, graph, first, workers);
        REQUIRE(s.has_value());
        return *s;
    }
};

/// Each step of a task begins after the one before it, by up to so many seconds.
TaskStamps after(double submitted, double ready, double free, double most)
{
    TaskStamps t;
    t.submitted = submitted;
    double last = std::max(submitted, ready);
    const auto next = [&] { return last += uniform(0, most); };
    t.push_began = next();
    t.push_ended = next();
    last = std::max(last, free);
    for (double* step : {&t.pop_began, &t.pop_ended, &t.fetch_began, &t.fetch_ended, &t.started,
                         &t.ended, &t.told})
        *step = next();
    return t;
}

std::array<double, 8> pieces_of(const RuntimeSplit& s)
{
    return {s.executing, s.waiting,  s.submission, s.dependencies,
            s.decision,  s.queueing, s.data,       s.other};
}

} // namespace

TEST_CASE("split: the pieces of a solve add up, whatever its tasks did", "[split]")
{
    for (int i = 0; i < 200; ++i) {
        const int workers = whole(1, 4), tasks = whole(1, 60);
        Made m;
        std::vector<double> free(std::size_t(workers), 0.0);
        double submitted = 0, end = 0;
        for (int n = 0; n < tasks; ++n) {
            std::vector<int> before;
            double ready = 0;
            for (int k = whole(0, 3); k > 0 && n > 0; --k)
                before.push_back(whole(std::max(0, n - 6), n - 1));
            std::sort(before.begin(), before.end());
            before.erase(std::unique(before.begin(), before.end()), before.end());
            for (const int b : before)
                ready = std::max(ready, m.stamped.tasks[std::size_t(b)].ended);
            const auto w = std::size_t(whole(0, workers - 1));
            TaskStamps t = after(submitted += uniform(0, 0.3), ready, free[w], 0.3);
            t.worker = int(w);
            free[w] = t.told;
            end = std::max(end, t.told);
            m.add(t, before);
        }
        m.stamped.began = uniform(0, 0.5);
        m.stamped.ended = end + uniform(-0.5, 0.5); // some tasks may be submitted ahead
        if (m.stamped.ended <= m.stamped.began) continue;
        const RuntimeSplit s = m.split(workers);
        double sum = 0;
        for (const double piece : pieces_of(s)) {
            CHECK(piece >= -1e-9);
            sum += piece;
        }
        CHECK(sum == Approx(s.seconds));
        CHECK(s.seconds == Approx(m.stamped.ended - m.stamped.began));
        CHECK(s.tasks == tasks);
    }
}

TEST_CASE("split: each second is what StarPU did in it", "[split]")
{
    Made m; // one worker; the second task waits for the first, the third is submitted late
    m.stamped.ended = 100;
    m.stamped.submitting = 7;
    m.add({.worker = 0,
           .submitted = 1,
           .push_began = 3,
           .push_ended = 6,
           .pop_began = 10,
           .pop_ended = 15,
           .fetch_began = 15,
           .fetch_ended = 21,
           .started = 28,
           .ended = 36,
           .told = 45},
          {});
    // Between the first one's end and its being told the scheduler has the second, for 4 s.
    m.add({.worker = 0,
           .submitted = 2,
           .push_began = 38,
           .push_ended = 42,
           .pop_began = 46,
           .pop_ended = 48,
           .fetch_began = 48,
           .fetch_ended = 48,
           .started = 48,
           .ended = 58,
           .told = 60},
          std::array{0});
    m.add({.worker = 0,
           .submitted = 70,
           .push_began = 70,
           .push_ended = 73,
           .pop_began = 74,
           .pop_ended = 74,
           .fetch_began = 74,
           .fetch_ended = 74,
           .started = 74,
           .ended = 90,
           .told = 91},
          {});
    const RuntimeSplit s = m.split(1);
    CHECK(s.executing == Approx(8 + 10 + 16));
    CHECK(s.waiting == Approx(9)); // at the end
    CHECK(s.submission == Approx(1 + 10));
    CHECK(s.dependencies == Approx(2 + (9 - 4) + 2 + 1));
    CHECK(s.decision == Approx(3 + 5 + 4 + 2 + 3));
    CHECK(s.queueing == Approx(4 + 1 + 1));
    CHECK(s.data == Approx(6));
    CHECK(s.other == Approx(7));
    CHECK(s.submitting == 7);
    CHECK(s.runtime() == Approx(100 - s.executing - s.waiting));
}

TEST_CASE("split: who needs what another worker computes, waits", "[split]")
{
    Made m;
    m.stamped.ended = 10;
    TaskStamps t; // submitted, pushed and got at 0
    t.worker = 0;
    t.ended = t.told = 8;
    m.add(t, {});
    t = {.worker = 1};
    t.push_began = t.push_ended = t.pop_began = t.pop_ended = t.fetch_began = t.fetch_ended =
        t.started = 8;
    t.ended = t.told = 10;
    m.add(t, std::array{0});
    const RuntimeSplit s = m.split(2);
    CHECK(s.executing == Approx(5));
    CHECK(s.waiting == Approx(5)); // 8 s of worker 1, 2 s of worker 0
}

TEST_CASE("split: none where tasks are not in the graph", "[split]")
{
    Made m;
    m.stamped.ended = 1;
    m.add({.worker = 0, .ended = 1, .told = 1}, {});
    CHECK(split_of(m.stamped, m.graph, first, 1).has_value());
    CHECK_FALSE(split_of(m.stamped, m.graph, first + 1, 1).has_value());
    CHECK_FALSE(split_of(m.stamped, {}, first, 1).has_value());
    CHECK_FALSE(split_of(m.stamped, m.graph, first, 0).has_value());
}

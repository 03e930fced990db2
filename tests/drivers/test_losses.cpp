// Where the time of a run went, on schedules made up here, and what is warned of.

#include "codelets/dot/dot.hpp"
#include "codelets/xpay/xpay.hpp"
#include "drivers/compare/bound.hpp"
#include "drivers/compare/warnings.hpp"
#include "tests/drivers/draws.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace qcd;
using namespace qcd::test;

namespace
{

struct Made {
    RunRecord record;
    TaskGraph graph;
};

/// Operation number n on a worker, from ready on.
void add(Made& m, int worker, int part, std::span<const int> waits_for, double ready,
         double started, double ended)
{
    const Codelet& codelet = part < 0 ? dot_codelet(Precision::f64) : xpay_codelet(Precision::f64);
    const Work work{1000, 100};
    Event e;
    e.origin = {.codelet = &codelet,
                .number = m.record.first + long(m.graph.nodes.size()),
                .part = part,
                .iteration = 0,
                .work = work};
    e.worker = worker;
    e.ready = ready;
    e.started = started;
    e.ended = ended;
    m.record.events.push_back(e);
    m.graph.add({&codelet, work, part, 0}, waits_for);
}

Made on_cores(int workers, double seconds)
{
    Made m;
    m.record.first = whole(0, 1000);
    m.record.ended = seconds;
    m.record.kinds = {{"CPU", workers, 0}};
    m.record.kind_of.assign(std::size_t(workers), 0);
    return m;
}

RunLook look(Made& m)
{
    // As Events::take() has them.
    std::stable_sort(m.record.events.begin(), m.record.events.end(),
                     [](const Event& a, const Event& b) {
                         return std::pair(a.worker, a.started) < std::pair(b.worker, b.started);
                     });
    return look_at(m.record, &m.graph, Counted{1}, true);
}

double busy(const RunLook& l)
{
    double seconds = 0;
    for (const auto& [key, b] : l.busy) seconds += b.seconds;
    return seconds;
}

/// Who comes takes a worker that is free, or waits, now and then for no reason.
Made random_schedule(int workers, int tasks)
{
    Made m = on_cores(workers, 0);
    std::vector<double> free(std::size_t(workers), 0.0), ended;
    for (int i = 0; i < tasks; ++i) {
        std::vector<int> before;
        double ready = 0;
        for (int k = whole(0, 3); k > 0 && i > 0; --k)
            before.push_back(whole(std::max(0, i - 6), i - 1));
        std::sort(before.begin(), before.end());
        before.erase(std::unique(before.begin(), before.end()), before.end());
        for (const int b : before) ready = std::max(ready, ended[std::size_t(b)]);
        const int w = whole(0, workers - 1);
        const double started = std::max(free[std::size_t(w)], ready) + (whole(0, 2) == 0 ? 0.1 : 0);
        ended.push_back(started + uniform(0.5, 1.5));
        free[std::size_t(w)] = ended.back();
        add(m, w, whole(-1, 3), before, ready, started, ended.back());
    }
    m.record.ended = *std::max_element(ended.begin(), ended.end()) + uniform(0, 0.5);
    return m;
}

WarningsFor quiet(const CaseFacts& facts)
{
    WarningsFor w;
    w.names = {"one"};
    w.cases = {facts};
    w.load_before = 0.1;
    w.machine.cores = 4;
    return w;
}

CaseFacts good()
{
    CaseFacts f;
    f.median_task = 1e-3;
    f.seconds = 1;
    f.bytes_moved = f.bytes_needed = 1e6;
    f.bus_gb_per_s = 10;
    f.workers = {.cpu = 4};
    return f;
}

} // namespace

TEST_CASE("losses: what workers did and did not adds up, whatever the schedule")
{
    for (int i = 0; i < 200; ++i) {
        const int workers = whole(1, 4);
        Made m = random_schedule(workers, whole(1, 60));
        const RunLook l = look(m);
        CHECK(busy(l) + l.idle.all() == Approx(workers * l.seconds));
        for (const double part :
             {l.idle.transfers, l.idle.reductions, l.idle.other, l.idle.runtime})
            CHECK(part >= -1e-9);
        FastestTimes fastest;
        fastest.add(l);
        const double bound = uniform(0.1, 1) * l.seconds;
        const Losses s = losses_of(l, fastest, bound);
        CHECK(bound + s.transfers + s.reductions + s.idle + s.runtime + s.kernels + s.placement ==
              Approx(l.seconds));
    }
}

TEST_CASE("losses: a worker without a task that could run is idle, at a reduction or else")
{
    const bool reduction = GENERATE(false, true);
    // Worker 0 computes for 1 and 2 s, worker 1 for 1 s; what waits for all of them comes last.
    Made m = on_cores(2, 4);
    add(m, 0, 0, {}, 0, 0, 3);
    add(m, 1, 1, {}, 0, 0, 1);
    add(m, 1, reduction ? -1 : 1, std::array{0, 1}, 3, 3, 4);
    const RunLook l = look(m);
    CHECK((reduction ? l.idle.reductions : l.idle.other) >= 2 - 1e-12); // worker 1, from 1 to 3 s
    CHECK(l.idle.transfers == 0);
    CHECK(l.idle.all() == Approx(3)); // and worker 0 in the last second
}

TEST_CASE("losses: a worker that is free while a task could run waits for the runtime")
{
    Made m = on_cores(1, 3);
    add(m, 0, 0, {}, 0, 0, 1);
    add(m, 0, 1, std::array{0}, 1, 1.5, 3);
    CHECK(look(m).idle.runtime == Approx(0.5));
}

TEST_CASE("warnings: each of its kind, in one line that names the case; none of a good run")
{
    CHECK(warnings_of(quiet(good())).empty());
    const auto warned = [](WarningsFor w, const char* words) {
        const std::vector<std::string> all = warnings_of(w);
        INFO(words);
        REQUIRE(all.size() == 1);
        INFO(all.front());
        CHECK(all.front().find(words) != std::string::npos);
        CHECK(all.front().find('\n') == std::string::npos);
    };
    CaseFacts f = good();
    f.median_task = 50e-6;
    warned(quiet(f), "less than 100 us");
    f = good();
    f.bytes_moved = 3e9;
    warned(quiet(f), "twice the bytes");
    f = good();
    f.models = {{"hopping", "CPU", 2, 0.1}};
    warned(quiet(f), "stale or scattered");
    f.models = {{"hopping", "CPU", 1, 0.9}};
    warned(quiet(f), "stale or scattered");
    f = good();
    f.workers.cpu = 5;
    warned(quiet(f), "more threads than cores");
    f = good();
    f.plan = PlanKind::batch;
    CHECK(warnings_of(quiet(f)).empty()); // nobody compares schedulers
    f.scheduler_asked = true;
    warned(quiet(f), "nothing to choose");
    WarningsFor busy_machine = quiet(good());
    busy_machine.load_before = 3;
    warned(busy_machine, "busy");
    CHECK(warnings_of({}).empty());
}

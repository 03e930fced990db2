// Events: one for each operation, from tasks of one and from inside those of many, in an order that
// can be.

#include "drivers/bench/heat.hpp"
#include "runtime/events.hpp"
#include "runtime/transfers.hpp"
#include "tests/runtime/session.hpp"

#include <catch2/catch.hpp>
#include <starpu.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>

using namespace qcd;
using namespace qcd::test;

namespace
{

constexpr int recorded_steps = 6, parts = 4;
constexpr std::array plane{16, 24};

struct Recorded {
    std::vector<Event> events;
    std::vector<KernelTime> times;
};

/// All that is recorded of some steps.
Recorded record(const Plan& plan, int every = 1, Events::Keep keep = Events::Keep::all)
{
    Graph graph(plan);
    Heat heat(graph, {plane, Grid<2>::Coord{2, 2}}, std::vector<int>(16 * 24, 8));
    heat.step(); // before anybody records
    Events events(graph, keep, every);
    {
        Graph::Batch batch(graph);
        for (int i = 0; i < recorded_steps; ++i) {
            const Graph::Iteration mark(graph, i);
            heat.step();
            if ((i + 1) % plan.iterations == 0) batch.flush();
        }
    }
    return {events.take(), events.times()};
}

/// Each operation of each part in each iteration, once.
void check_complete(const std::vector<Event>& events)
{
    std::set<std::tuple<std::string, int, int>> seen;
    for (const Event& e : events)
        CHECK(seen.insert({e.origin.codelet->name, e.origin.part, e.origin.iteration}).second);
    CHECK(seen.size() == 2 * parts * recorded_steps);
    for (const auto& [name, part, iteration] : seen) {
        CHECK((part >= 0 && part < parts));
        CHECK((iteration >= 0 && iteration < recorded_steps));
    }
}

void check_order(const std::vector<Event>& events)
{
    std::map<int, double> busy_until;
    for (const Event& e : events) {
        CHECK(e.origin.submitted >= 0);
        CHECK(e.origin.submitted <= e.ready);
        CHECK(e.ready <= e.started);
        CHECK(e.started <= e.ended);
        CHECK(busy_until[e.worker] <= e.started);
        busy_until[e.worker] = e.ended;
        CHECK(e.origin.work.bytes > 0);
    }
}

} // namespace

TEST_CASE("events of tasks: each operation once, submitted, ready, started and ended in turn",
          "[events]")
{
    if (!has_workers("cpu")) return;
    use_workers({.cpu = cores()});
    const Recorded r = record({});
    check_complete(r.events);
    check_order(r.events);
    for (const Event& e : r.events) CHECK(e.batch == -1);
}

TEST_CASE("events inside of batches: one ends where the next begins", "[events]")
{
    if (!has_workers("cpu")) return;
    use_workers({.cpu = 1});
    const int cores_per_worker = GENERATE(1, 2);
    const Recorded r =
        record({.kind = PlanKind::batch, .iterations = 3, .cores_per_worker = cores_per_worker});
    check_complete(r.events);
    check_order(r.events);
    REQUIRE(r.events.size() == 2 * parts * recorded_steps);
    for (std::size_t i = 1; i < r.events.size(); ++i) {
        const bool same = r.events[i].batch == r.events[i - 1].batch;
        CHECK(same == (i != r.events.size() / 2)); // two batches
        if (same) CHECK(r.events[i].started == r.events[i - 1].ended);
    }
}

TEST_CASE("events of every third batch, and the others as a whole", "[events]")
{
    if (!has_workers("cpu")) return;
    use_workers({.cpu = 1});
    const Recorded r = record({.kind = PlanKind::batch, .iterations = 1}, 3);
    std::map<int, double> bytes; // of an iteration
    std::set<int> whole;
    for (const Event& e : r.events) {
        CHECK(e.batch == e.origin.iteration);
        bytes[e.origin.iteration] += e.origin.work.bytes;
        if (!e.origin.codelet) CHECK(whole.insert(e.origin.iteration).second);
    }
    check_order(r.events);
    CHECK(whole == std::set{1, 2, 4, 5});
    CHECK(r.events.size() == 2 * 2 * parts + whole.size());
    for (const auto& [iteration, of_it] : bytes) CHECK(of_it == bytes[0]);
    for (const KernelTime& t : r.times) CHECK(t.count == 2 * parts);
    CHECK(record({.kind = PlanKind::batch, .iterations = 1}, 3, Events::Keep::sums).times.size() ==
          2);
}

TEST_CASE("times of kernels are sums over events", "[events]")
{
    if (!has_workers("cpu")) return;
    use_workers({.cpu = cores()});
    const Recorded r = record({});
    REQUIRE(r.times.size() == 2);
    for (const KernelTime& t : r.times) {
        CHECK(t.worker == "CPU");
        CHECK(t.count == parts * recorded_steps);
        double seconds = 0, bytes = 0;
        for (const Event& e : r.events)
            if (e.origin.codelet->name == t.name) {
                seconds += e.ended - e.started;
                bytes += e.origin.work.bytes;
            }
        CHECK(t.seconds == Approx(seconds).epsilon(1e-6));
        CHECK(t.work.bytes == Approx(bytes));
    }
    const Recorded sums = record({}, 1, Events::Keep::sums);
    CHECK(sums.events.empty());
    CHECK(sums.times.size() == 2);
}

TEST_CASE("copies between memories are those that StarPU counts", "[events]")
{
    if (!has_workers("opencl")) return;
    use_workers({.opencl = 1});
    const auto counted = [] { // since the last call
        double bytes = 0;
        for (int bus = 0; bus < starpu_bus_get_count(); ++bus) {
            starpu_profiling_bus_info info;
            starpu_bus_get_profiling_info(bus, &info);
            bytes += double(info.transferred_bytes);
        }
        return bytes;
    };
    const int device = int(starpu_worker_get_memory_node(0));
    Graph graph({});
    std::vector<std::unique_ptr<HostData>> data;
    for (const std::size_t elements : {7, 1000, 33333})
        data.push_back(std::make_unique<HostData>(graph, elements, 8, -1));
    // Each to the device, once the host has written it.
    const auto move = [&] {
        for (const auto& d : data) {
            graph.acquire(d->data(), STARPU_W);
            graph.release(d->data());
            starpu_data_prefetch_on_node(d->data().handle, unsigned(device), 0);
        }
    };
    constexpr double once = 8 * (7 + 1000 + 33333);
    counted();
    move(); // nobody records
    CHECK(counted() == once);
    const double before = Events::now();
    Transfers transfers;
    for (int i = 0; i < 3; ++i) move();
    const std::vector<Transfer> all = transfers.take();
    REQUIRE(all.size() == 9);
    double bytes = 0, last = before;
    for (const Transfer& t : all) {
        CHECK(t.from == STARPU_MAIN_RAM);
        CHECK(t.to == device);
        CHECK(last <= t.began);
        CHECK(t.began <= t.ended);
        last = t.began;
        bytes += t.bytes;
    }
    CHECK(bytes == 3 * once);
    CHECK(bytes == counted());
    CHECK(transfers.take().empty());
}

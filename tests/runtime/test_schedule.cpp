// Schedules: taken down from a graph or given, and replayed, with the numbers of a plain loop.

#include "runtime/schedule.hpp"

#include "base/error.hpp"
#include "runtime/graph.hpp"
#include "runtime/owned_data.hpp"
#include "runtime/session.hpp"
#include "tests/runtime/session.hpp"
#include "tests/seed.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <random>

using namespace qcd;
using namespace qcd::test;
using Catch::Matchers::Contains;

namespace
{

constexpr int numbers = 50; // in a piece of data

/// out <- 3 out + 5 a + 7 b + c, in whole numbers that wrap around: orders differ in their results.
struct MixArgs {
    unsigned c;
};

void mix(const void* args, void* const* slots, CpuShare)
{
    const unsigned c = static_cast<const MixArgs*>(args)->c;
    const auto* const a = static_cast<const unsigned*>(slots[0]);
    const auto* const b = static_cast<const unsigned*>(slots[1]);
    auto* const out = static_cast<unsigned*>(slots[2]);
    for (int i = 0; i < numbers; ++i) out[i] = 3 * out[i] + 5 * a[i] + (b ? 7 * b[i] : 0) + c;
}

constexpr const char* mix_on_devices = R"(
typedef struct { uint c; } MixArgs;
__kernel void mix_kernel(MixArgs args, __global const uint* a, __global const uint* b,
                         __global uint* out)
{
    const int i = get_global_id(0);
    if (i < 50) out[i] = 3 * out[i] + 5 * a[i] + (b ? 7 * b[i] : 0) + args.c;
}
)";

const Codelet& mix_codelet()
{
    static const Operation operation{
        .name = "mix",
        .args_size = sizeof(MixArgs),
        .slots = {{.name = "a", .holds = "numbers"},
                  {.name = "b", .holds = "numbers", .optional = true},
                  {.name = "out", .holds = "numbers", .mode = Mode::updates}},
        .blocks = one_block,
        .sweeps = false};
    static const Codelet codelet(operation, 0, operation.name,
                                 {.cpu = {mix, mix, mix}, .opencl = {mix_on_devices}});
    return codelet;
}

struct Call {
    int a, b, out; // b: -1: absent
};

/// The operations of an iteration, on so many pieces of data.
std::vector<Call> random_calls(std::mt19937& random, int operations, int pieces)
{
    const auto any = [&](int from) {
        return std::uniform_int_distribution(from, pieces - 1)(random);
    };
    std::vector<Call> all;
    while (int(all.size()) < operations) {
        Call c{any(0), any(-1), any(0)};
        if (c.out == c.a || c.out == c.b || c.a == c.b) continue;
        all.push_back(c);
    }
    return all;
}

std::vector<unsigned> by_a_loop(const std::vector<Call>& calls, int pieces, int iterations)
{
    std::vector<unsigned> all(std::size_t(pieces * numbers));
    std::iota(all.begin(), all.end(), 1U);
    const auto at = [&](int piece) { return all.data() + piece * numbers; };
    for (int k = 0; k < iterations; ++k)
        for (const Call& c : calls) {
            void* const slots[] = {at(c.a), c.b < 0 ? nullptr : at(c.b), at(c.out)};
            const MixArgs args{unsigned(k)};
            mix(&args, slots, {});
        }
    return all;
}

std::vector<unsigned> by_tasks(const Plan& plan, const std::vector<Call>& calls, int pieces,
                               int iterations)
{
    std::vector<unsigned> all(std::size_t(pieces * numbers));
    Graph graph(plan);
    std::deque<HostData> data;
    for (int p = 0; p < pieces; ++p) {
        data.emplace_back(graph, std::size_t(numbers), sizeof(unsigned), -1);
        graph.acquire(data.back().data(), STARPU_W);
        auto* const begin = static_cast<unsigned*>(data.back().host());
        std::iota(begin, begin + numbers, unsigned(1 + p * numbers));
        graph.release(data.back().data());
    }
    {
        Graph::Batch batch(graph);
        for (int k = 0; k < iterations; ++k) {
            {
                const Graph::Iteration mark(graph, k);
                for (const Call& c : calls)
                    graph.submit(mix_codelet(), MixArgs{unsigned(k)},
                                 {data[c.a].data(), c.b < 0 ? Operand{} : data[c.b].data(),
                                  data[c.out].data()});
            }
            if (k % 4 == 3) batch.flush();
        }
    }
    for (int p = 0; p < pieces; ++p) {
        graph.acquire(data[p].data(), STARPU_R);
        const auto* const begin = static_cast<const unsigned*>(data[p].host());
        std::copy(begin, begin + numbers, all.begin() + p * numbers);
        graph.release(data[p].data());
    }
    return all;
}

/// Its operations, by whom they wait for: two that write two pieces, and one that reads both.
Period two_and_one()
{
    return {{{"write", 0, {{0, true}}},
             {"write", 1, {{1, true}}},
             {"read", -1, {{0, false}, {1, false}, {2, true}}}}};
}

/// Anybody executes it, in an order in which nobody waits for what comes behind.
Schedule random_schedule(std::mt19937& random, const Period& period, int workers)
{
    const int n = int(period.operations.size());
    const auto before = period.dependencies();
    Schedule s;
    for (int o = 0; o < n; ++o)
        s.worker.push_back(std::uniform_int_distribution(0, workers - 1)(random));
    std::vector<bool> done(std::size_t(n), false);
    while (int(s.order.size()) < n) {
        std::vector<int> ready;
        for (int o = 0; o < n; ++o)
            if (!done[std::size_t(o)] &&
                std::all_of(before[std::size_t(o)].begin(), before[std::size_t(o)].end(),
                            [&](int b) { return done[std::size_t(b)]; }))
                ready.push_back(o);
        const int next =
            ready[std::size_t(std::uniform_int_distribution(0, int(ready.size()) - 1)(random))];
        done[std::size_t(next)] = true;
        s.order.push_back(next);
    }
    return s;
}

} // namespace

TEST_CASE("an operation of an iteration waits for who wrote last, and writes after who read",
          "[schedule]")
{
    const Period p{{{"w", 0, {{0, true}}},
                    {"r", 0, {{0, false}, {1, true}}},
                    {"r", 1, {{0, false}, {2, true}}},
                    {"w", 0, {{0, true}}},
                    {"both", 0, {{0, false}, {0, true}}}}};
    CHECK(p.dependencies() == std::vector<std::vector<int>>{{}, {0}, {0}, {0, 1, 2}, {3}});
    CHECK(p.fingerprint().size() == 16);
    CHECK(p.fingerprint() == Period(p).fingerprint());
    Period other = p;
    other.operations[2].uses[0].data = 1;
    CHECK(other.fingerprint() != p.fingerprint());
}

TEST_CASE("a schedule that nobody could execute is refused, with the reason", "[schedule]")
{
    const Period p = two_and_one();
    CHECK(why_not({{0, 1, 0}, {0, 1, 2}}, p, 2).empty());
    CHECK(why_not({{0, 1, 0}, {1, 0, 2}}, p, 2).empty());
    CHECK(why_not({{0, 1, 1}, {2, 0, 1}}, p, 2) ==
          "operation 1 (write) would wait for ever: what it needs is not before it");
    CHECK_THAT(why_not({{0, 0, 0}, {2, 0, 1}}, p, 1), Contains("would wait for ever"));
    CHECK_THAT(why_not({{0, 1, 2}, {0, 1, 2}}, p, 2), Contains("worker 2 is none of the 2"));
    CHECK_THAT(why_not({{0, 1, -1}, {0, 1, 2}}, p, 2), Contains("worker -1"));
    CHECK_THAT(why_not({{0, 1, 0}, {0, 1, 1}}, p, 2), Contains("operation 1 stands in it twice"));
    CHECK_THAT(why_not({{0, 1, 0}, {0, 1, 3}}, p, 2), Contains("operation 3 is none of the 3"));
    CHECK_THAT(why_not({{0, 1}, {0, 1}}, p, 2), Contains("has 2 operations, the iteration has 3"));
    // Each waits for the other, as lists are executed from their beginning.
    const Period crossed{{{"a", 0, {{0, true}}},
                          {"b", 1, {{1, true}}},
                          {"c", 0, {{1, false}, {2, true}}},
                          {"d", 1, {{0, false}, {3, true}}}}};
    CHECK(why_not({{0, 1, 0, 1}, {0, 1, 2, 3}}, crossed, 2).empty());
    CHECK_THAT(why_not({{0, 1, 0, 1}, {2, 0, 3, 1}}, crossed, 2), Contains("for ever"));
}

TEST_CASE("random graphs that are replayed compute what a plain loop does", "[schedule]")
{
    if (!has_workers("cpu")) return;
    std::mt19937 random(seed(1));
    constexpr int iterations = 23;
    std::vector<Workers> sets;
    for (int workers = 1; workers <= cores(); ++workers) sets.push_back({.cpu = workers});
    if (has_workers("opencl") && cores() > 1)
        for (int workers = 1; workers < cores(); ++workers)
            sets.push_back({.cpu = workers, .opencl = 1});
    for (Workers& set : sets)
        for (const char* const scheduler : {"lws", "random", "dmdas"}) {
            set.scheduler = scheduler;
            use_workers(set);
            const int workers = set.cpu + set.opencl;
            for (int round = 0; round < 8; ++round) {
                const int pieces = std::uniform_int_distribution(3, 12)(random);
                const auto calls = random_calls(random, 5 + 5 * round, pieces);
                const auto expected = by_a_loop(calls, pieces, iterations);
                INFO(fmt::format("{} CPU, {} OpenCL workers, {}, {} operations on {} pieces",
                                 set.cpu, set.opencl, scheduler, calls.size(), pieces));
                Plan plan{.kind = PlanKind::replay, .schedules = make_schedules()};
                CHECK(by_tasks(plan, calls, pieces, iterations) == expected);
                // A scheduler that asks models first measures them.
                const bool asks = asks_models(scheduler);
                if (asks && plan.schedules->known().empty()) continue;
                REQUIRE(plan.schedules->known().size() == 1);
                const auto before = plan.schedules;
                const Schedules::Entry& taken = *before->known().front();
                CHECK((asks || taken.replayed == iterations - Schedules::lessons_needed));
                CHECK(taken.period.operations.size() == calls.size());
                CHECK(taken.shortest <= taken.schedule.seconds);
                CHECK(taken.schedule.seconds <= taken.longest);
                const Schedule made = random_schedule(random, taken.period, workers);
                plan.schedules = make_schedules();
                plan.schedules->give({{taken.fingerprint, made}});
                CHECK(by_tasks(plan, calls, pieces, iterations) == expected);
                CHECK(plan.schedules->known().front()->replayed == iterations);
            }
        }
}

TEST_CASE("schedules that are of another graph, or wrong, end the run before they are executed",
          "[schedule]")
{
    if (!has_workers("cpu")) return;
    use_workers({.cpu = 1, .scheduler = "eager"});
    const std::vector<Call> calls{{0, -1, 1}, {1, -1, 2}};
    Plan plan{.kind = PlanKind::replay, .schedules = make_schedules()};
    plan.schedules->give({{"0123456789abcdef", {{0, 0}, {0, 1}}}});
    CHECK_THROWS_WITH(by_tasks(plan, calls, 3, 2),
                      Contains("no schedule of an iteration of this run"));
    plan.schedules = make_schedules();
    (void)by_tasks(plan, calls, 3, 10);
    const std::string fingerprint = plan.schedules->known().front()->fingerprint;
    plan.schedules = make_schedules();
    plan.schedules->give({{fingerprint, {{0, 0}, {1, 0}}}});
    CHECK_THROWS_WITH(by_tasks(plan, calls, 3, 2), Contains("would wait for ever"));
}

TEST_CASE("iterations of which none repeats are no period", "[schedule]")
{
    if (!has_workers("cpu")) return;
    use_workers({.cpu = 1, .scheduler = "eager"});
    const Plan plan{.kind = PlanKind::replay, .schedules = make_schedules()};
    const auto grow = [&] {
        Graph graph(plan);
        std::deque<HostData> data;
        for (int p = 0; p < 2; ++p)
            data.emplace_back(graph, std::size_t(numbers), sizeof(unsigned), -1);
        for (HostData& d : data) {
            graph.acquire(d.data(), STARPU_W);
            graph.release(d.data());
        }
        Graph::Batch batch(graph);
        for (int k = 0; k < 100; ++k) {
            const Graph::Iteration mark(graph, k);
            for (int o = 0; o <= k; ++o)
                graph.submit(mix_codelet(), MixArgs{0}, {data[0].data(), {}, data[1].data()});
        }
    };
    CHECK_THROWS_WITH(grow(), Contains("there is nothing to replay"));
}

#include "runtime/codelet.hpp"
#include "runtime/machine_model.hpp"
#include "tests/runtime/session.hpp"

#include <catch2/catch.hpp>
#include <hwloc.h>
#include <starpu.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <vector>

namespace qcd::test
{

namespace
{

struct CountArgs {
    int blocks;
    std::atomic<int>* times; // of each block
};

void count_blocks(const void* args, void* const*, CpuShare share)
{
    const auto& a = *static_cast<const CountArgs*>(args);
    for (int b = share.first(a.blocks); b < share.end(a.blocks); ++b) ++a.times[b];
}

const Codelet& counting_codelet()
{
    static const Operation operation{
        .name = "count_blocks", .args_size = sizeof(CountArgs), .slots = {}, .blocks = blocks_in};
    static const Codelet codelet(operation, 0, "count_blocks",
                                 {.cpu = {count_blocks, count_blocks, count_blocks}});
    return codelet;
}

constexpr int cores_of_team = 4; // more than many machines have: threads come late
constexpr int most_blocks_of_task = 8 * 16 * cores_of_team;

struct Outcome {
    int tasks = 0, wrong_blocks = 0;
};

/// Tasks of one and of most shares a core in turn, on the cores of the worker that executes this.
void execute_tasks(void**, void* outcome)
{
    auto& o = *static_cast<Outcome*>(outcome);
    const auto times = std::make_unique<std::atomic<int>[]>(most_blocks_of_task);
    for (; o.tasks < 20000; ++o.tasks) {
        const int blocks = o.tasks % 2 ? most_blocks_of_task : cores_of_team;
        for (int b = 0; b < blocks; ++b) times[b] = 0;
        const CountArgs args{blocks, times.get()};
        execute_on_cores(counting_codelet(), &args, nullptr, {.cores = cores_of_team});
        for (int b = 0; b < blocks; ++b) o.wrong_blocks += times[b] != 1;
    }
}

} // namespace

TEST_CASE("cores of a worker: every block of a task once, whoever comes late", "[codelets]")
{
    if (!has_workers("cpu")) return;
    use_workers({.cpu = 1});
    starpu_codelet codelet;
    starpu_codelet_init(&codelet);
    codelet.cpu_funcs[0] = execute_tasks;
    Outcome outcome;
    starpu_task* task = starpu_task_create();
    task->cl = &codelet;
    task->cl_arg = &outcome;
    task->synchronous = 1;
    REQUIRE(starpu_task_submit(task) == 0);
    CHECK(outcome.tasks == 20000);
    CHECK(outcome.wrong_blocks == 0);
}

TEST_CASE("L3 of the CPU workers: that of one at least, of all caches at most", "[codelets]")
{
    if (!has_workers("cpu")) return;
    use_workers({.cpu = 1});
    const std::size_t of_one = level3_of_cpu_workers(1);
    use_workers({.cpu = cores()});
    const std::size_t of_all = level3_of_cpu_workers(1);
    std::size_t least = 0, largest = 0, sum = 0;
    const hwloc_topology_t topology = starpu_get_hwloc_topology();
    for (hwloc_obj_t cache = nullptr;
         (cache = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_L3CACHE, cache)) != nullptr;) {
        const std::size_t bytes = cache->attr->cache.size;
        least = sum == 0 ? bytes : std::min(least, bytes);
        largest = std::max(largest, bytes);
        sum += bytes;
    }
    CHECK(of_one >= least);
    if (!std::getenv("STARPU_WORKERS_NOBIND")) CHECK(of_one <= largest); // its core has one
    CHECK(of_all >= of_one);
    CHECK(of_all <= sum);
    const std::size_t most = MachineModel::of_this_machine().cache_a_core * cores();
    if (of_all > 0) CHECK(cache_of_cpu_workers(1) == std::min(of_all, most));
}

} // namespace qcd::test

#include "drivers/plan/worker_choice.hpp"
#include "runtime/environment.hpp"
#include "runtime/ranks.hpp"

#include <catch2/catch.hpp>

using namespace qcd;

TEST_CASE("a small lattice stays on one GPU, a large one gets them all")
{
    CHECK(gpus_that_pay({12, 12, 12, 24}, Precision::f64, 4) == 1);
    CHECK(gpus_that_pay({48, 48, 48, 96}, Precision::f64, 4) == 4);
    CHECK(gpus_that_pay({48, 48, 48, 96}, Precision::f64, 1) == 1);
    // Half the bytes save half the time.
    CHECK(gpus_that_pay({16, 16, 16, 32}, Precision::f64, 2) == 2);
    CHECK(gpus_that_pay({16, 16, 16, 32}, Precision::f32, 2) == 1);
    // A slab is at least two slices thick.
    CHECK(gpus_that_pay({64, 64, 64, 8}, Precision::f64, 8) == 4);
}

namespace
{
/// What the environment says of workers would decide: during a case it says nothing.
class LeftToUs : public Environment
{
public:
    LeftToUs()
    {
        for (const char* name : {"STARPU_NCPU", "STARPU_NCUDA", "STARPU_NOPENCL", "STARPU_SCHED"})
            unset(name);
    }
};
} // namespace

namespace
{
class RankOfHost final : public Ranks
{
public:
    explicit RankOfHost(int ranks) { size_ = local_size_ = ranks; }
};
} // namespace

TEST_CASE("a rank with too few cores is told what its host has")
{
    const RankOfHost two(2);
    const auto told = [&](int workers, int cores, int cores_of_host) {
        return too_few_cores({.cpu = workers}, cores, cores_of_host, two);
    };
    const auto says = [](const char* text) { return Catch::Contains(text); };
    CHECK(told(7, 8, 16).empty());
    CHECK_THAT(told(1, 1, 16), says("slot:PE=8 gives a rank 8 cores"));
    CHECK_THAT(told(2, 2, 4), says("--cpus 1 leaves"));
    CHECK_THAT(told(1, 1, 2), says("this host has 2 cores for 2 ranks"));
    CHECK(too_few_cores({.cpu = 2}, 2, 2, one_rank()).empty());
}

TEST_CASE("GPUs that are asked for are taken")
{
    const LeftToUs environment;
    const Extents small = {12, 12, 12, 24};
    RunSpec o;
    std::string said;
    const auto announce = [&](const std::string& s) { said = s; };
    CHECK(workers_for(o, small, 4, 16, one_rank(), announce).cuda == 1);
    CHECK(said.find("1 of 4") == 0);
    said.clear();
    CHECK(workers_for(o, small, 1, 16, one_rank(), announce).cuda == 1);
    CHECK(workers_for(o, {48, 48, 48, 96}, 4, 16, one_rank(), announce).cuda == 4);
    o.execution.cuda = 4;
    CHECK(workers_for(o, small, 4, 16, one_rank(), announce).cuda == 4);
    o.execution.cuda = std::optional<int>();
    o.execution.tiles = Extents{1, 1, 1, 4};
    CHECK(workers_for(o, small, 4, 16, one_rank(), announce).cuda == 4);
    o.execution.tiles = Extents{1, 1, 1, 1}; // others would have nothing to do
    CHECK(workers_for(o, small, 4, 16, one_rank(), announce).cuda == 1);
    o.execution.tiles = std::optional<Extents>();
    o.execution.plan = PlanChoice{PlanKind::batch, {}};
    CHECK(workers_for(o, {48, 48, 48, 96}, 4, 16, one_rank(), announce).cuda == 1);
    CHECK(said.empty());
}

TEST_CASE("one worker has all cores where the plan is a batch, or is to be one")
{
    LeftToUs environment;
    const Extents small = {8, 8, 8, 16}, large = {32, 32, 32, 64};
    const RunSpec open;
    const auto cores_of = [&](const RunSpec& o, const Extents& lattice, int gpus = 0) {
        return workers_for(o, lattice, gpus, 16, one_rank(), [](const std::string&) {})
            .cores_per_worker;
    };
    CHECK(cores_of(open, small) == 16);
    CHECK(cores_of(open, large) == 1);
    CHECK(cores_of(open, small, 1) == 1);
    RunSpec o = open;
    o.execution.cuda = 0;
    CHECK(cores_of(o, small, 1) == 16);
    o = open;
    o.execution.plan = PlanChoice{PlanKind::batch, {}};
    CHECK(cores_of(o, large) == 16);
    o.execution.plan = PlanChoice{PlanKind::graph, {}};
    CHECK(cores_of(o, small) == 1);
    o.execution.tiles = Extents{1, 1, 1, 1}; // one tile leaves no core idle
    CHECK(cores_of(o, small) == 16);
    o.execution.plan = std::optional<PlanChoice>();
    CHECK(cores_of(o, large) == 16);
    o.execution.tiles = Extents{1, 1, 1, 2};
    CHECK(cores_of(o, small) == 1);
    o = open;
    o.execution.cores_per_worker = 2;
    CHECK(cores_of(o, small) == 2);
    o = open;
    o.execution.cpus = 2;
    CHECK(cores_of(o, small) == 1);
    o = open;
    o.execution.sched = "eager";
    CHECK(cores_of(o, small) == 1);
    for (const auto& [name, value] : {std::pair("STARPU_SCHED", "eager"),
                                      {"STARPU_NCPU", "2"},
                                      {"STARPU_RESERVE_NCPU", "1"},
                                      {"STARPU_MAIN_THREAD_BIND", "1"},
                                      {"STARPU_NOPENCL", "1"},
                                      {"STARPU_NCUDA", "1"}}) {
        environment.set(name, value);
        INFO(name);
        CHECK(cores_of(open, small) == 1);
        environment.unset(name);
    }
    for (const char* name : {"STARPU_NOPENCL", "STARPU_NCUDA"}) environment.set(name, "0");
    CHECK(cores_of(open, small, 1) == 16);
}

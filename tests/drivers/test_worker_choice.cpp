#include "drivers/machine/environment.hpp"
#include "drivers/machine/worker_choice.hpp"

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

TEST_CASE("GPUs that are asked for are taken")
{
    const LeftToUs environment;
    const Extents small = {12, 12, 12, 24};
    cli::SolveOptions o;
    std::string said;
    const auto announce = [&](const std::string& s) { said = s; };
    CHECK(workers_for(o, small, 4, 16, announce).cuda == 1);
    CHECK(said.find("1 of 4") == 0);
    said.clear();
    CHECK_FALSE(workers_for(o, small, 1, 16, announce).cuda);
    CHECK_FALSE(workers_for(o, {48, 48, 48, 96}, 4, 16, announce).cuda);
    o.machine.cuda = 4;
    CHECK(workers_for(o, small, 4, 16, announce).cuda == 4);
    o.machine.cuda.reset();
    o.machine.tiles = Extents{1, 1, 1, 4};
    CHECK_FALSE(workers_for(o, small, 4, 16, announce).cuda);
    CHECK(said.empty());
}

TEST_CASE(
    "cores share the tasks of a small lattice where nobody asks for workers, tiles or a scheduler")
{
    LeftToUs environment;
    CHECK(cores_share_tasks({8, 8, 8, 16}, 2));
    CHECK(cores_share_tasks({16, 16, 16, 32}, 2));
    CHECK_FALSE(cores_share_tasks({16, 16, 16, 48}, 2));
    CHECK(cores_share_tasks({16, 16, 16, 32}, 16));
    CHECK_FALSE(cores_share_tasks({8, 8, 8, 16}, 1));

    const Extents small = {8, 8, 8, 16};
    const cli::SolveOptions open;
    const auto cores_of = [&](const cli::SolveOptions& o, int gpus = 0) {
        return workers_for(o, small, gpus, 16, [](const std::string&) {}).cores_per_worker;
    };
    CHECK(cores_of(open) == 16);
    CHECK_FALSE(cores_of(open, 1));
    cli::SolveOptions o = open;
    o.machine.cuda = 0;
    CHECK(cores_of(o, 1) == 16);
    o = open;
    o.machine.cores_per_worker = 1;
    CHECK(cores_of(o) == 1);
    o = open;
    o.machine.cpus = 2;
    CHECK_FALSE(cores_of(o));
    o = open;
    o.machine.tiles = Extents{1, 1, 1, 2};
    CHECK_FALSE(cores_of(o));
    o = open;
    o.machine.sched = "eager";
    CHECK_FALSE(cores_of(o));
    for (const auto& [name, value] : {std::pair("STARPU_SCHED", "eager"),
                                      {"STARPU_NCPU", "2"},
                                      {"STARPU_RESERVE_NCPU", "1"},
                                      {"STARPU_MAIN_THREAD_BIND", "1"},
                                      {"STARPU_NOPENCL", "1"},
                                      {"STARPU_NCUDA", "1"}}) {
        environment.set(name, value);
        INFO(name);
        CHECK_FALSE(cores_of(open));
        environment.unset(name);
    }
    for (const char* name : {"STARPU_NOPENCL", "STARPU_NCUDA"}) environment.set(name, "0");
    CHECK(cores_of(open, 1) == 16);
}

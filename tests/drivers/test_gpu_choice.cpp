#include "drivers/gpu_choice.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>

using namespace qcd;

TEST_CASE("a small lattice stays on one GPU, a large one gets them all")
{
    using cli::Precision;
    CHECK(gpus_that_pay({16, 16, 16, 32}, Precision::f64, 4) == 1);
    CHECK(gpus_that_pay({48, 48, 48, 96}, Precision::f64, 4) == 4);
    CHECK(gpus_that_pay({48, 48, 48, 96}, Precision::f64, 1) == 1);
    // Half the bytes save half the time.
    CHECK(gpus_that_pay({16, 16, 16, 64}, Precision::f64, 2) == 2);
    CHECK(gpus_that_pay({16, 16, 16, 64}, Precision::f32, 2) == 1);
    // A slab is at least two slices thick.
    CHECK(gpus_that_pay({64, 64, 64, 8}, Precision::f64, 8) == 4);
}

TEST_CASE("GPUs that are asked for are taken")
{
    unsetenv("STARPU_NCUDA"); // it would decide
    const Extents small = {16, 16, 16, 32};
    cli::SolveOptions o;
    std::string said;
    const auto announce = [&](const std::string& s) { said = s; };
    CHECK(workers_for(o, small, 4, announce).cuda == 1);
    CHECK(said.find("1 of 4") == 0);
    said.clear();
    CHECK_FALSE(workers_for(o, small, 1, announce).cuda);
    CHECK_FALSE(workers_for(o, {48, 48, 48, 96}, 4, announce).cuda);
    o.machine.cuda = 4;
    CHECK(workers_for(o, small, 4, announce).cuda == 4);
    o.machine.cuda.reset();
    o.machine.tiles = Extents{1, 1, 1, 4};
    CHECK_FALSE(workers_for(o, small, 4, announce).cuda);
    CHECK(said.empty());
}

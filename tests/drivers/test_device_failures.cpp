// A device that fails in the middle of a run: one line, status 4, no result.

#include "tests/drivers/program.hpp"

#include <catch2/catch.hpp>

using namespace qcd::test;

namespace
{

void check_failures(const std::string& kind, const std::string& workers)
{
    if (!works(kind, workers)) return;
    const std::string job = "--lattice 4x4x4x4 --iterations 20 --plan graph " + workers;
    for (const int launch : {1, 5, 100, 150}) { // of some 200
        const Outcome o = run(job, "LD_PRELOAD=" QCD_FAILING_LAUNCHES " QCD_FAILING_LAUNCH=" +
                                       std::to_string(launch));
        INFO(kind << ' ' << launch << '\n' << o.out << o.err);
        CHECK(o.status == 4);
        CHECK(o.err.starts_with("qcd_starpu: "));
        CHECK(o.err.find('\n') == o.err.size() - 1);
        CHECK(o.json.is_null());
    }
}

} // namespace

TEST_CASE("OpenCL that fails ends the run")
{
    check_failures("opencl", "--cpus 0 --cuda 0 --opencl 1");
}

TEST_CASE("CUDA that fails ends the run")
{
    check_failures("cuda", "--cpus 0 --cuda 1 --opencl 0");
}

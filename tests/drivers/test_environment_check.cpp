#include "base/error.hpp"
#include "runtime/environment.hpp"
#include "runtime/environment_check.hpp"
#include "runtime/machine_probe.hpp"

#include <catch2/catch.hpp>
#include <unistd.h>

using namespace qcd;
using Catch::StartsWith;

namespace
{

void check_with(const char* name, const std::string& value)
{
    Environment environment;
    environment.set(name, value);
    check_environment();
}

void bind_with(const char* name, const std::string& value, int cuda = 2, int opencl = 1)
{
    Environment environment;
    environment.set(name, value);
    check_bindings(cuda, opencl);
}

} // namespace

TEST_CASE("a variable of StarPU's or OpenMP's must be of its kind")
{
    const std::vector<std::pair<const char*, std::vector<const char*>>> good = {
        {"STARPU_NCPU", {"0", "2", " 16"}},
        {"STARPU_NWORKER_PER_CUDA", {"1", "99"}},
        {"STARPU_SCHED_ALPHA", {"1", "0.5", "-2e-3", ".5"}},
        {"STARPU_WORKERS_CPUID", {"0", "0 1 2", "0-1,1", "1-", "0 1 "}},
        {"STARPU_WORKERS_CUDAID", {"0", "1 3"}},
        {"OMP_NUM_THREADS", {"4", "4,2"}},
        {"STARPU_HOSTNAME", {"", "node-7"}},
        {"OMP_SCHEDULE", {"static", "Dynamic,4", "nonmonotonic:dynamic, 2", "auto"}},
        {"OMP_PROC_BIND", {"true", "spread,close", "MASTER"}},
        {"OMP_STACKSIZE", {"8192", "512k", "2 M"}},
        {"OMP_PLACES",
         {"cores", " Threads ( 4 )", "sockets", "{0}", "{0:1}", "{0},!{0}", " { 0 , !0 } : 1 : 7",
          "{0:1:-9}"}},
        {"GOMP_CPU_AFFINITY", {"0", "0-0:2 0"}}};
    const std::vector<std::pair<const char*, std::vector<const char*>>> bad = {
        {"STARPU_NCPU", {"x", "", "-1", "1.5", "2 ", "99999999999"}},
        {"STARPU_NWORKER_PER_CUDA", {"0", "100", "-2"}},
        {"STARPU_SCHED_ALPHA", {"abc", "", "1e", "nan"}},
        {"STARPU_WORKERS_CPUID", {"", "x", "-1", "0 -", "0;1"}},
        {"STARPU_WORKERS_CUDAID", {"", "0,1", "0-1"}},
        {"OMP_NUM_THREADS", {"abc", "0", "-1", "4,", "99999999"}},
        {"OMP_SCHEDULE", {"fast", "static,0", "static,", "2"}},
        {"OMP_PROC_BIND", {"1", "true,close", ""}},
        {"STARPU_HOSTNAME", {"a/b"}},
        {"OMP_STACKSIZE", {"8X", "-1", "large"}},
        {"OMP_PLACES",
         {"", "core", "cores(0)", "cores 2", "cores,threads", "0", "{}", "{0", "{0},", "{x}",
          "{0:0}", "{0}:", "{0}:1:", "{0}}", "{99999999999}", "{0:2:-1}", "{0}:2:99999"}},
        {"GOMP_CPU_AFFINITY", {"x", "-1", "0-:2", "100000"}}};
    for (const auto& [name, values] : good)
        for (const char* value : values) {
            INFO(name << "='" << value << "'");
            CHECK_NOTHROW(check_with(name, value));
        }
    for (const auto& [name, values] : bad)
        for (const char* value : values) {
            INFO(name << "='" << value << "'");
            CHECK_THROWS_WITH(check_with(name, value), StartsWith(std::string(name) + ": "));
        }
    const std::string cpus = std::to_string(sysconf(_SC_NPROCESSORS_CONF));
    CHECK_NOTHROW(check_with("OMP_PLACES", "{0:" + cpus + "}"));
    CHECK_NOTHROW(check_with("OMP_PLACES", "{0}:" + cpus));
    for (const std::string& beyond : {"{" + cpus + "}", "{0},{1:" + cpus + "}", "{0}:2:" + cpus})
        CHECK_THROWS_WITH(check_with("OMP_PLACES", beyond),
                          StartsWith("OMP_PLACES: no CPU " + cpus + ": this machine has "));
    CHECK_THROWS_WITH(check_with("STARPU_NCPU", "x"),
                      "STARPU_NCPU: 'x' is not a whole number, 0 or more");
}

TEST_CASE("workers and threads are bound to what the machine has")
{
    const ProcessingUnits all = probe_processing_units();
    const std::string last = std::to_string(all.threads - 1), none = std::to_string(all.threads);
    for (const char* name : {"STARPU_MAIN_THREAD_CPUID", "STARPU_MPI_THREAD_CPUID"}) {
        CHECK_NOTHROW(bind_with(name, last));
        CHECK_THROWS_WITH(bind_with(name, none),
                          StartsWith(std::string(name) + ": no CPU " + none + ": "));
    }
    CHECK_NOTHROW(bind_with("STARPU_WORKERS_CPUID", "0-" + last + " 0"));
    CHECK_THROWS_AS(bind_with("STARPU_WORKERS_CPUID", "0-" + none), Error);
    CHECK_THROWS_AS(bind_with("STARPU_WORKERS_COREID", std::to_string(all.cores)), Error);
    CHECK_NOTHROW(bind_with("STARPU_WORKERS_CUDAID", "1 0"));
    CHECK_THROWS_WITH(bind_with("STARPU_WORKERS_CUDAID", "0 2"),
                      "STARPU_WORKERS_CUDAID: no CUDA device 2: this machine has 0 to 1");
    CHECK_THROWS_WITH(bind_with("STARPU_WORKERS_OPENCLID", "1"),
                      "STARPU_WORKERS_OPENCLID: no OpenCL device 1: this machine has 0 alone");
    CHECK_NOTHROW(bind_with("STARPU_WORKERS_OPENCLID", "1", 0, 0)); // no run has one
    CHECK_THROWS_AS(bind_with("STARPU_NTHREADS_PER_CORE", "1000"), Error);
}

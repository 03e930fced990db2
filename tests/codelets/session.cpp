#include "tests/codelets/session.hpp"

#include "codelets/runtime/codelet.hpp"
#include "codelets/runtime/opencl_program.hpp"
#include "tests/required.hpp"

#define CATCH_CONFIG_EXTERNAL_INTERFACES // listeners
#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <starpu.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <stdexcept>
#include <thread>

namespace qcd::test
{

namespace
{

constexpr int skipped = 77; // of CTest

std::optional<Workers> running;

void stop()
{
    if (!running) return;
    opencl_release();
    starpu_shutdown();
    running.reset();
}

/// Fewer workers than asked for is a failure of the start.
bool start(const Workers& w)
{
    stop();
    // PoCL is an OpenCL device as good as any, where there is no GPU.
    if (opencl_gpus() == 0) setenv("STARPU_OPENCL_ON_CPUS", "1", 0);
    setenv("STARPU_SILENT", "1", 0);
    starpu_conf conf;
    starpu_conf_init(&conf);
    conf.precedence_over_environment_variables = 1;
    conf.ncpus = w.cpu;
    conf.nopencl = w.opencl;
    conf.ncuda = w.cuda;
    conf.sched_policy_name = w.scheduler.c_str();
    if (starpu_init(&conf) != 0) return false;
    running = w;
    if (int(starpu_cpu_worker_get_count()) != w.cpu ||
        int(starpu_opencl_worker_get_count()) != w.opencl ||
        int(starpu_cuda_worker_get_count()) != w.cuda) {
        stop();
        return false;
    }
    return true;
}

/// The environment can take a kind of worker away, for example where a sanitizer cannot follow it.
bool forbidden(std::string_view kind)
{
    const char* count = kind == "opencl" ? std::getenv("STARPU_NOPENCL")
                        : kind == "cuda" ? std::getenv("STARPU_NCUDA")
                                         : std::getenv("STARPU_NCPU");
    return count && std::string_view(count) == "0";
}

/// StarPU ends before the libraries that it uses do.
struct WholeSession : Catch::TestEventListenerBase {
    using TestEventListenerBase::TestEventListenerBase;
    void testRunStarting(const Catch::TestRunInfo&) override
    {
        const char* bytes = std::getenv("QCD_TEST_ROW_BYTES");
        if (!bytes) return;
        set_row_bytes(std::atoi(bytes));
        if (row_bytes() == 64 || has_workers("opencl") || has_workers("cuda")) return;
        fmt::print(stderr, "SKIPPED: no device has rows of {} bytes here\n", row_bytes());
        stop();
        std::exit(skipped);
    }
    void testRunEnded(const Catch::TestRunStats&) override { stop(); }
};
CATCH_REGISTER_LISTENER(WholeSession)

} // namespace

bool has_workers(std::string_view kind)
{
    static std::map<std::string, bool, std::less<>> known;
    if (const auto it = known.find(kind); it != known.end() && (it->second || !required(kind)))
        return it->second;
    Workers one;
    (kind == "cpu" ? one.cpu : kind == "opencl" ? one.opencl : one.cuda) = 1;
    const bool found = !forbidden(kind) && (running == one || start(one));
    known.emplace(kind, found);
    if (!found && required(kind))
        throw std::runtime_error(
            fmt::format("QCD_REQUIRE names {}, but no such worker starts here", kind));
    if (!found) fmt::print(stderr, "SKIPPED: all cases on {} workers: none starts here\n", kind);
    return found;
}

void use_workers(const Workers& w)
{
    if (running != w && !start(w))
        throw std::runtime_error("StarPU does not start with the workers asked for");
}

int cores() { return int(std::clamp(std::thread::hardware_concurrency(), 1u, 4u)); }

} // namespace qcd::test

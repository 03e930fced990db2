#include "tests/runtime/session.hpp"

#include "base/error.hpp"
#include "runtime/opencl_program.hpp"
#include "runtime/session.hpp"
#include "tests/required.hpp"

#define CATCH_CONFIG_EXTERNAL_INTERFACES // listeners
#include <catch2/catch.hpp>
#include <fmt/format.h>

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

std::optional<Workers> running;
std::optional<Session> session;

void stop()
{
    session.reset();
    running.reset();
}

/// Fewer workers than asked for is a failure of the start.
bool start(const Workers& w)
{
    stop();
    // PoCL is an OpenCL device as good as any, where there is no GPU.
    if (opencl_devices(false) == 0) setenv("STARPU_OPENCL_ON_CPUS", "1", 0);
    try {
        session.emplace(SessionOptions{
            .cpus = w.cpu, .cuda = w.cuda, .opencl = w.opencl, .scheduler = w.scheduler});
    } catch (const DeviceError&) {
        return false;
    }
    running = w;
    return true;
}

bool is_zero(const char* name)
{
    const char* count = std::getenv(name);
    return count && std::string_view(count) == "0";
}

// The environment can take a kind of worker away, for example where a sanitizer cannot follow it:
// that before the first session, which has an environment of its own.
const bool cpu_is_forbidden = is_zero("STARPU_NCPU"),
           opencl_is_forbidden = is_zero("STARPU_NOPENCL"),
           cuda_is_forbidden = is_zero("STARPU_NCUDA");

bool forbidden(std::string_view kind)
{
    return kind == "opencl" ? opencl_is_forbidden
           : kind == "cuda" ? cuda_is_forbidden
                            : cpu_is_forbidden;
}

/// StarPU ends before the libraries that it uses do.
struct WholeSession : Catch::TestEventListenerBase {
    using TestEventListenerBase::TestEventListenerBase;
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

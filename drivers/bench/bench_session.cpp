#include "drivers/bench/bench_session.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "drivers/plan/worker_choice.hpp"
#include "drivers/spec/rules.hpp"
#include "runtime/opencl_program.hpp"
#include "runtime/ranks.hpp"

#include <algorithm>
#include <cstdlib>

namespace qcd
{

namespace
{

ExecutionSpec with_workers(ExecutionSpec o, const WorkerCounts& w)
{
    o.cpus = w.cpu;
    o.cores_per_worker = w.cores_per_cpu;
    o.cuda = w.cuda;
    o.opencl = w.opencl;
    if (w.devices() == 0) o.gpu_memory = std::optional<long>();
    return o;
}

/// The command line wins over the environment.
std::optional<int> asked(const std::optional<int>& option, const char* variable)
{
    const char* text = std::getenv(variable);
    return option || !text ? option : parse_number<int>(text);
}

} // namespace

BenchSession::BenchSession(const ExecutionSpec& options, const WorkerCounts& workers, bool verbose,
                           Ranks& ranks)
    : options_(with_workers(options, workers))
{
    session_.emplace(session_options(options_, verbose, ranks));
    workers_ = workers_of(*session_);
}

RunPlan BenchSession::plan(const Extents& lattice, Precision precision, LinkStorage links) const
{
    RunSpec solve;
    solve.execution = options_;
    solve.method.precision = precision;
    solve.method.links = links;
    return make_plan(completed(solve), lattice, workers_);
}

std::vector<WorkerCounts> bench_configurations(const ExecutionSpec& o, const MachineFacts& facts,
                                               const std::vector<Device>& devices,
                                               const Ranks& ranks)
{
    std::vector<WorkerCounts> all;
    const bool alone = !ranks.several(); // a rank leaves one core to its other threads
    const int each = o.cores_per_worker().value_or(1);
    const int cpus =
        asked(o.cpus(), "STARPU_NCPU").value_or(std::max(1, facts.cores / each - (alone ? 0 : 1)));
    if (each > 1) {
        require_cores(cpus, each, facts.cores);
        if (cpus > 0) all.push_back({.cpu = cpus, .cores_per_cpu = each});
    } else {
        if (cpus > 0) all.push_back({.cpu = 1});
        if (cpus > 1) all.push_back({.cpu = cpus});
        if (alone && cpus > 1 && cpus <= facts.cores && !o.cores_per_worker())
            all.push_back({.cpu = 1, .cores_per_cpu = cpus});
    }
    // A missing device is reported before minutes are spent on measuring the rest.
    const auto count = [&](const char* kind, const std::optional<int>& option, const char* variable,
                           const std::string& why) {
        const int found = int(std::count_if(devices.begin(), devices.end(),
                                            [&](const Device& d) { return d.kind == kind; }));
        if (option.value_or(0) > found)
            throw DeviceError("{} {} workers asked for, {} found{}{}", *option, kind, found,
                              why.empty() ? "" : ": ", why);
        return std::min(asked(option, variable).value_or(1), found);
    };
    const int cuda = count("CUDA", o.cuda(), "STARPU_NCUDA", cuda_problem());
    if (cuda > 0) all.push_back({.cuda = cuda});
    const int opencl = count("OpenCL", o.opencl(), "STARPU_NOPENCL", opencl_problem());
    if (opencl > 0) all.push_back({.opencl = opencl});
    if (all.empty()) throw DeviceError("bench: no worker of any kind is left");
    if (o.gpu_memory() && cuda + opencl == 0)
        throw DeviceError("--gpu-memory: no device works in this run");
    return all;
}

} // namespace qcd

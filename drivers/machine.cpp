#include "drivers/machine.hpp"

#include "codelets/runtime/opencl_program.hpp"
#include "lattice/error.hpp"

#include <fmt/format.h>
#include <starpu.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace qcd
{

namespace
{

void set(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }
void set_default(const char* name, const char* value) { setenv(name, value, 0); }

void ask_for(const char* name, const std::optional<int>& count)
{
    if (count)
        set(name, std::to_string(*count));
}

/// The command line wins over the environment, the environment over our defaults.
void set_environment(const cli::MachineOptions& options)
{
    ask_for("STARPU_NCPU", options.cpus);
    ask_for("STARPU_NCUDA", options.cuda);
    ask_for("STARPU_NOPENCL", options.opencl);
    // An OpenCL implementation on the CPU (PoCL) counts as a device when OpenCL is asked for.
    if (options.opencl.value_or(0) > 0)
        set_default("STARPU_OPENCL_ON_CPUS", "1");
    set_default("STARPU_NOPENCL", "0");
    if (!options.sched.empty())
        set("STARPU_SCHED", options.sched);
    // StarPU keeps a share of device memory clean by default, which writes every result back at
    // each iteration.
    set_default("STARPU_MINIMUM_CLEAN_BUFFERS", "0");
    set_default("STARPU_TARGET_CLEAN_BUFFERS", "0");
    set_default("STARPU_SILENT", "1");
}

bool has_scheduler(const std::string& name)
{
    for (starpu_sched_policy** p = starpu_sched_get_predefined_policies(); *p; ++p)
        if (name == (*p)->policy_name)
            return true;
    return false;
}

void require(const std::optional<int>& asked, int found, const char* kind)
{
    if (asked && found < *asked)
        throw DeviceError(fmt::format("{} {} workers asked for, {} found", *asked, kind, found));
}

} // namespace

Machine::Machine(const cli::MachineOptions& options)
{
    set_environment(options);
    if (!options.sched.empty() && !has_scheduler(options.sched))
        throw DeviceError(fmt::format(
            "sched: this StarPU has no policy '{}' (qcd_starpu info lists them)", options.sched));
    if (std::getenv("STARPU_SCHED") == nullptr) {
        const bool devices = options.cuda.value_or(1) > 0 || options.opencl.value_or(0) > 0;
        set("STARPU_SCHED",
            devices && (starpu_cuda_worker_get_count() > 0 || options.opencl.value_or(0) > 0)
                ? "dmdas"
                : "lws");
    }
    const int status = starpu_init(nullptr);
    if (status != 0)
        throw DeviceError(fmt::format("StarPU does not start: {}",
                                      status == -ENODEV
                                          ? "no worker is left (check --cpus, --cuda, --opencl)"
                                          : std::strerror(-status)));
    workers_ = {int(starpu_cpu_worker_get_count()), int(starpu_cuda_worker_get_count()),
                int(starpu_opencl_worker_get_count())};
    scheduler_ = std::getenv("STARPU_SCHED");
    try {
        require(options.cpus, workers_.cpu, "CPU");
        require(options.cuda, workers_.cuda, "CUDA");
        require(options.opencl, workers_.opencl, "OpenCL");
        opencl_prepare();
    } catch (...) {
        starpu_shutdown();
        throw;
    }
    starpu_malloc_set_align(64);
    if (workers_.cuda + workers_.opencl > 0)
        starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
}

Machine::~Machine()
{
    opencl_release();
    starpu_shutdown();
}

long Machine::bytes_moved() const
{
    if (workers_.cuda + workers_.opencl == 0)
        return 0;
    long bytes = 0;
    for (int bus = 0; bus < starpu_bus_get_count(); ++bus) {
        starpu_profiling_bus_info info;
        starpu_bus_get_profiling_info(bus, &info);
        bytes += long(info.transferred_bytes);
    }
    return bytes;
}

Extents default_tiles(const Extents& lattice, const WorkerCounts& workers,
                      const MachineFacts& facts, std::size_t real_bytes)
{
    (void)facts;
    (void)real_bytes;
    Extents tiles = {1, 1, 1, 1};
    tiles[3] = std::clamp(workers.all(), 1, lattice[3] / 2);
    return tiles;
}

} // namespace qcd

#include "drivers/machine/machine.hpp"

#include "codelets/runtime/codelet.hpp"
#include "codelets/runtime/opencl_program.hpp"
#include "lattice/error.hpp"
#include "lattice/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <starpu.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace qcd
{

namespace
{

int number(const char* name, int otherwise)
{
    const char* value = std::getenv(name);
    return value ? std::atoi(value) : otherwise;
}

/// Each CPU worker has the cores after its own, too.
void give_cores(Environment& e, int cores_per_worker, bool devices)
{
    set_cores_per_cpu_worker(cores_per_worker);
    if (cores_per_worker == 1) return;
    if (devices) throw Error("--cores-per-worker: for cores alone (--cuda 0 --opencl 0)");
    const int cores = probe_machine().cores;
    e.set_default("STARPU_NCPU", std::to_string(cores / cores_per_worker));
    const int workers = number("STARPU_NCPU", 0);
    require_cores(workers, cores_per_worker, cores);
    if (workers == 0) return; // StarPU takes no empty list
    std::string own;
    for (int i = 0; i < workers; ++i) own += fmt::format("{} ", i * cores_per_worker);
    if (!std::getenv("STARPU_WORKERS_CPUID")) e.set_default("STARPU_WORKERS_COREID", own);
}

/// Can StarPU keep files in this home? On a full disk it leaves empty ones, at which it gives up
/// ever after: they are removed (not those of a run that just makes them).
bool can_keep_files(const fs::path& home)
{
    std::error_code none;
    fs::path folder = home;
    for (const char* part : {".starpu", "sampling", "bus"}) {
        if (!fs::exists(folder / part, none)) break;
        folder /= part;
    }
    const fs::path trial = folder / fmt::format("qcd_starpu.{}", getpid());
    std::ofstream out(trial);
    out << std::string(16384, ' ');
    out.close();
    fs::remove(trial, none);
    if (!out) return false;
    const auto now = fs::file_time_type::clock::now();
    if (folder.filename() == "bus")
        for (const auto& file : fs::directory_iterator(folder, none))
            if (file.is_regular_file(none) && file.file_size(none) == 0 &&
                now - file.last_write_time(none) > std::chrono::minutes(1))
                fs::remove(file.path(), none);
    return true;
}

/// StarPU gives up where it cannot keep what it measures of the machine: a home that is not there,
/// is full or cannot be written (a service's, a container's) is replaced. It asks for
/// XDG_CACHE_HOME first. PoCL, which has no devices then, gets a folder there, too.
void choose_home()
{
    const char* const xdg = std::getenv("XDG_CACHE_HOME");
    const char* const base = xdg ? xdg : std::getenv("HOME");
    const bool starpu_has_one = !xdg && std::getenv("STARPU_HOME");
    if (!base) return;
    std::error_code failed;
    if (xdg)
        fs::create_directories(base, failed); // as its standard says; a home is not ours to make
    if (starpu_has_one ? access(base, W_OK | X_OK) == 0 : can_keep_files(base)) return;
    const fs::path temporary = fs::temp_directory_path(failed);
    if (failed) return;
    const fs::path home = temporary / fmt::format("qcd_starpu-{}", geteuid());
    struct stat found = {};
    const bool ours =
        mkdir(home.c_str(), 0700) == 0 ||
        (lstat(home.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == geteuid());
    if (!ours && starpu_has_one) return;
    if (!ours)
        throw DeviceError(fmt::format("StarPU needs a folder to keep what it measures in: set "
                                      "STARPU_HOME ({} is not to be had)",
                                      home.string()));
    setenv("POCL_CACHE_DIR", (home / "pocl").c_str(), 0);
    if (!starpu_has_one) setenv(xdg ? "XDG_CACHE_HOME" : "STARPU_HOME", home.c_str(), 1);
}

/// The command line wins over the environment, the environment over our defaults.
void set_environment(Environment& e, const cli::MachineOptions& options)
{
    choose_home();
    const auto ask_for = [&](const char* name, const std::optional<int>& count) {
        if (count) e.set(name, std::to_string(*count));
    };
    ask_for("STARPU_NCPU", options.cpus);
    if (options.cpus) e.unset("STARPU_RESERVE_NCPU"); // it would be taken off
    ask_for("STARPU_NCUDA", options.cuda);
    ask_for("STARPU_NOPENCL", options.opencl);
    // An OpenCL implementation on the CPU (PoCL) counts as a device when more are asked for than
    // there are GPUs.
    if (options.opencl.value_or(0) > 0 && *options.opencl > opencl_gpus())
        e.set_default("STARPU_OPENCL_ON_CPUS", "1");
    e.set_default("STARPU_NOPENCL", "0");
    const std::vector<int> usable = cuda_devices();
    if (int(usable.size()) < all_cuda_devices()) { // StarPU would take the first ones
        e.set_default("STARPU_NCUDA", std::to_string(usable.size()));
        e.set_default("STARPU_WORKERS_CUDAID", fmt::format("{}", fmt::join(usable, " ")));
    }
    const bool gpus = !usable.empty() && number("STARPU_NCUDA", int(usable.size())) > 0;
    // Cores add a few percent to a GPU at best, and only with tiles cut for both: they stay out
    // unless asked for.
    if (gpus && !options.split) e.set_default("STARPU_NCPU", "0");
    give_cores(e, options.cores_per_worker.value_or(1), gpus || number("STARPU_NOPENCL", 0) > 0);
    if (options.gpu_memory) {
        const std::string mebibytes = std::to_string(*options.gpu_memory >> 20);
        e.set("STARPU_LIMIT_CUDA_MEM", mebibytes);
        e.set("STARPU_LIMIT_OPENCL_MEM", mebibytes);
        // What is fetched for tasks far from their turn drives out what the next ones need.
        e.set_default("STARPU_PREFETCH", "0");
    }
    if (!options.sched.empty()) e.set("STARPU_SCHED", options.sched);
    e.set_default("STARPU_SCHED", !gpus && number("STARPU_NOPENCL", 0) <= 0 ? "lws"
                                  : options.gpu_memory                      ? "dmdar"
                                                                            : "dmdas");
    // StarPU keeps a share of device memory clean by default, which writes every result back at
    // each iteration.
    e.set_default("STARPU_MINIMUM_CLEAN_BUFFERS", "0");
    e.set_default("STARPU_TARGET_CLEAN_BUFFERS", "0");
    e.set_default("STARPU_SILENT", "1");
    e.set_default("STARPU_CATCH_SIGNALS", "0"); // Ctrl-C is ours
}

/// A policy of a library of the user's is StarPU's to find.
bool has_scheduler(const std::string& name)
{
    if (std::getenv("STARPU_SCHED_LIB")) return true;
    for (starpu_sched_policy** p = starpu_sched_get_predefined_policies(); *p; ++p)
        if (name == (*p)->policy_name) return true;
    return false;
}

void require(const std::optional<int>& asked, int found, const char* kind,
             const std::string& why = "")
{
    if (asked && found < *asked)
        throw DeviceError(fmt::format("{} {} workers asked for, {} found{}{}", *asked, kind, found,
                                      why.empty() ? "" : ": ", why));
}

/// Cores of the workers of devices.
cpu_set_t cores_of_devices()
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    for (unsigned worker = 0; worker < starpu_worker_get_count(); ++worker) {
        if (starpu_worker_get_type(int(worker)) == STARPU_CPU_WORKER) continue;
        const hwloc_cpuset_t own = starpu_worker_get_hwloc_cpuset(int(worker));
        for (int cpu = hwloc_bitmap_first(own); cpu >= 0 && cpu < CPU_SETSIZE;
             cpu = hwloc_bitmap_next(own, cpu))
            CPU_SET(cpu, &cores);
        hwloc_bitmap_free(own);
    }
    return cores;
}

/// StarPU aborts when a device fails in its own hands, or when it cannot start: what it printed is
/// the reason.
void on_abort(int)
{
    constexpr char line[] = "qcd_starpu: StarPU gave up: it could not start, or a device failed\n";
    if (write(STDERR_FILENO, line, sizeof line - 1) < 0) {
    } // there is nothing else to do
    _exit(exit_missing_device);
}

} // namespace

void require_cores(int workers, int cores_per_worker, int cores)
{
    const int asked = std::max(1, workers);
    if (long(asked) * cores_per_worker > cores)
        throw DeviceError(fmt::format("--cores-per-worker: {} CPU workers of {} cores asked for, "
                                      "{} cores found",
                                      asked, cores_per_worker, cores));
}

void leave_opencl_out(const cli::MachineOptions& options)
{
    if (options.opencl.value_or(number("STARPU_NOPENCL", 0)) == 0 && all_cuda_devices() == 0)
        setenv("OCL_ICD_VENDORS", "/nonexistent", 0);
}

OwnCores::OwnCores() : known_(sched_getaffinity(0, sizeof before_, &before_) == 0)
{
    if (!known_) return;
    cpu_set_t rest, devices = cores_of_devices();
    CPU_AND(&devices, &devices, &before_);
    CPU_XOR(&rest, &before_, &devices);
    if (CPU_COUNT(&rest) > 0) sched_setaffinity(0, sizeof rest, &rest);
}

OwnCores::~OwnCores()
{
    if (known_) sched_setaffinity(0, sizeof before_, &before_);
}

Machine::Machine(const cli::MachineOptions& options)
{
    if (const char* isa = std::getenv("QCD_ISA"); isa && std::string(isa) != to_string(cpu_isa()))
        throw Error(fmt::format("QCD_ISA: {} is not generic, avx2 or avx512, or not of this CPU, "
                                "which has {}",
                                qcd::quoted(isa), to_string(cpu_isa())));
    scheduler_asked_ = !options.sched.empty() || std::getenv("STARPU_SCHED");
    set_environment(environment_, options);
    scheduler_ = std::getenv("STARPU_SCHED");
    if (!has_scheduler(scheduler_))
        throw DeviceError(
            fmt::format("sched: this StarPU has no policy {} (qcd_starpu info lists them)",
                        qcd::quoted(scheduler_)));
    require(options.cuda, int(cuda_devices().size()), "CUDA", cuda_problem());
    std::signal(SIGABRT, on_abort);
    const int status = starpu_init(nullptr);
    if (status != 0) std::signal(SIGABRT, SIG_DFL);
    if (status == -ENODEV) require(options.opencl, 0, "OpenCL"); // missing before what is left
    if (status != 0)
        throw DeviceError(fmt::format("StarPU does not start: {}",
                                      status == -ENODEV
                                          ? "no worker is left (check --cpus, --cuda, --opencl)"
                                          : std::strerror(-status)));
    workers_ = {int(starpu_cpu_worker_get_count()), int(starpu_cuda_worker_get_count()),
                int(starpu_opencl_worker_get_count()), cores_per_cpu_worker()};
    set_row_bytes(workers_.cpu == 0 ? 128 : 64);
    try {
        require(options.cpus, workers_.cpu, "CPU");
        if (options.gpu_memory && workers_.devices() == 0)
            throw DeviceError("--gpu-memory: no device works in this run");
        if (options.tune == cli::Tune::again && workers_.cuda == 0)
            throw DeviceError("--tune again: no CUDA device works in this run");
        require(options.cuda, workers_.cuda, "CUDA", cuda_problem());
        require(options.opencl, workers_.opencl, "OpenCL");
    } catch (...) {
        starpu_shutdown();
        std::signal(SIGABRT, SIG_DFL);
        throw;
    }
    if (workers_.cpu > 0 && workers_.suits() == Suits::devices) own_cores_.emplace();
    starpu_malloc_set_align(64);
    if (workers_.devices() > 0) starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
}

Machine::~Machine()
{
    opencl_release();
    starpu_shutdown();
    std::signal(SIGABRT, SIG_DFL);
}

std::vector<int> Machine::worker_ids(starpu_worker_archtype kind) const
{
    std::vector<int> ids(starpu_worker_get_count_by_type(kind));
    starpu_worker_get_ids_by_type(kind, ids.data(), int(ids.size()));
    return ids;
}

std::size_t Machine::device_bytes() const
{
    std::size_t least = 0;
    for (int worker = 0; worker < workers_.all(); ++worker) {
        const unsigned node = starpu_worker_get_memory_node(worker);
        if (starpu_node_get_kind(node) == STARPU_CPU_RAM) continue;
        const starpu_ssize_t bytes = starpu_memory_get_total(node);
        if (bytes > 0) least = least ? std::min(least, std::size_t(bytes)) : std::size_t(bytes);
    }
    return least;
}

double Machine::bus_gb_per_s() const
{
    for (int worker = 0; worker < workers_.all(); ++worker) {
        const unsigned node = starpu_worker_get_memory_node(worker);
        if (starpu_node_get_kind(node) != STARPU_CPU_RAM)
            return starpu_transfer_bandwidth(STARPU_MAIN_RAM, node) / 1e3; // from MB/s
    }
    return 0;
}

long Machine::bytes_moved() const
{
    if (workers_.devices() == 0) return 0;
    long bytes = 0;
    for (int bus = 0; bus < starpu_bus_get_count(); ++bus) {
        starpu_profiling_bus_info info;
        starpu_bus_get_profiling_info(bus, &info);
        bytes += long(info.transferred_bytes);
    }
    return bytes;
}

} // namespace qcd

#include "runtime/session.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "runtime/codelet.hpp"
#include "runtime/device_limits.hpp"
#include "runtime/environment_check.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/opencl_program.hpp"
#include "runtime/peer_memory.hpp"
#include "runtime/ranks.hpp"
#include "runtime/schedule.hpp"
#include "runtime/scheduler_library.hpp"
#include "runtime/starpu_home.hpp"
#include "runtime/task_times.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <starpu.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <numeric>
#include <sched.h>

namespace qcd
{

namespace
{

int number(const char* name, int otherwise)
{
    const char* value = std::getenv(name);
    return value ? std::atoi(value) : otherwise;
}

/// What is this rank's of n things of its host.
template <class T>
std::vector<T> share_of(const std::vector<T>& all, const Ranks* ranks)
{
    if (!ranks || ranks->local_size() == 1 || all.empty()) return all;
    const std::size_t rank = ranks->local_rank(), here = ranks->local_size();
    const std::size_t first = all.size() * rank / here,
                      last = std::max(first + 1, all.size() * (rank + 1) / here);
    return {all.begin() + long(first), all.begin() + long(last)};
}

/// Each CPU worker has the cores after its own, too.
void give_cores(Environment& e, int cores_per_worker, bool devices)
{
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

/// The command line wins over the environment, the environment over our defaults.
void set_environment(Environment& e, const SessionOptions& options)
{
    const std::string note = choose_starpu_home(e);
    if (options.verbose && !note.empty())
        std::fprintf(stderr, "qcd_starpu: note: %s\n", note.c_str());
    const auto ask_for = [&](const char* name, const std::optional<int>& count) {
        if (count) e.set(name, std::to_string(*count));
    };
    ask_for("STARPU_NCPU", options.cpus);
    if (options.cpus) e.unset("STARPU_RESERVE_NCPU"); // it would be taken off
    ask_for("STARPU_NCUDA", options.cuda);
    ask_for("STARPU_NOPENCL", options.opencl);
    // An OpenCL implementation on the CPU (PoCL) counts as a device where there are no GPUs, or fewer
    // than are asked for.
    count_opencl_on_cpus(e);
    if (options.opencl.value_or(0) > opencl_devices(false))
        e.set_default("STARPU_OPENCL_ON_CPUS", "1");
    e.set_default("STARPU_NOPENCL", "0");
    const std::vector<int> usable = cuda_devices_for(options);
    if (int(usable.size()) < all_cuda_devices()) { // StarPU would take the first ones
        e.set_default("STARPU_NCUDA", std::to_string(usable.size()));
        e.set_default("STARPU_WORKERS_CUDAID", fmt::format("{}", fmt::join(usable, " ")));
    }
    const bool gpus = !usable.empty() && number("STARPU_NCUDA", int(usable.size())) > 0;
    // Cores add a few percent to a GPU at best, and only with tiles cut for both: they stay out
    // unless asked for.
    if (gpus && !options.cores_beside_gpus) e.set_default("STARPU_NCPU", "0");
    give_cores(e, options.cores_per_worker, gpus || number("STARPU_NOPENCL", 0) > 0);
    if (options.gpu_memory) {
        const std::string mebibytes = std::to_string(*options.gpu_memory >> 20);
        e.set("STARPU_LIMIT_CUDA_MEM", mebibytes);
        e.set("STARPU_LIMIT_OPENCL_MEM", mebibytes);
        // What is fetched for tasks far from their turn drives out what the next ones need.
        e.set_default("STARPU_PREFETCH", "0");
    }
    if (!options.scheduler.empty()) e.set("STARPU_SCHED", options.scheduler);
    if (!options.scheduler_library.empty())
        e.set(scheduler_library_variable, scheduler_library_path(options.scheduler_library));
    if (options.calibrate) {
        e.set("STARPU_CALIBRATE", *options.calibrate ? "1" : "0");
        // What heteroprio gathers of its own.
        e.set("STARPU_AUTOHETEROPRIO_FREEZE_GATHERING", *options.calibrate ? "0" : "1");
    }
    e.set_default("STARPU_SCHED", !gpus && number("STARPU_NOPENCL", 0) <= 0 ? "lws"
                                  : options.gpu_memory                      ? "dmdar"
                                                                            : "dmdas");
    // StarPU keeps a share of device memory clean by default, which writes every result back at
    // each iteration.
    e.set_default("STARPU_MINIMUM_CLEAN_BUFFERS", "0");
    e.set_default("STARPU_TARGET_CLEAN_BUFFERS", "0");
    if (!options.verbose) e.set_default("STARPU_SILENT", "1");
    e.set_default("STARPU_CATCH_SIGNALS", "0"); // Ctrl-C is ours
}

/// Does StarPU have a scheduler of this name, or the library that the user gave?
bool has_scheduler(const std::string& name)
{
    const std::string library = scheduler_library_of_environment();
    if (!library.empty() && library_has_policy(library, name)) return true;
    for (starpu_sched_policy** p = starpu_sched_get_predefined_policies(); *p; ++p)
        if (name == (*p)->policy_name) return true;
    return false;
}

[[noreturn]] void throw_no_scheduler(const std::string& name)
{
    const std::string library = scheduler_library_of_environment();
    if (library.empty())
        throw DeviceError("sched: this StarPU has no policy {} (qcd_starpu info lists them)",
                          qcd::quoted(name));
    throw Error("sched: neither {} nor this StarPU has a policy {}: the library has {}",
                qcd::quoted(library), qcd::quoted(name),
                fmt::join(policies_of_library(library), ", "));
}

void require(const std::optional<int>& asked, int found, const char* kind,
             const std::string& why = "")
{
    if (asked && found < *asked)
        throw DeviceError("{} {} workers asked for, {} found{}{}", *asked, kind, found,
                          why.empty() ? "" : ": ", why);
}

/// Cores of the workers of devices; none where they are simulated.
cpu_set_t cores_of_devices()
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
#ifndef STARPU_SIMGRID
    for (unsigned worker = 0; worker < starpu_worker_get_count(); ++worker) {
        if (starpu_worker_get_type(int(worker)) == STARPU_CPU_WORKER) continue;
        const hwloc_cpuset_t own = starpu_worker_get_hwloc_cpuset(int(worker));
        for (int cpu = hwloc_bitmap_first(own); cpu >= 0 && cpu < CPU_SETSIZE;
             cpu = hwloc_bitmap_next(own, cpu))
            CPU_SET(cpu, &cores);
        hwloc_bitmap_free(own);
    }
#endif
    return cores;
}

} // namespace

void require_cores(int workers, int cores_per_worker, int cores)
{
    const int asked = std::max(1, workers);
    if (long(asked) * cores_per_worker > cores)
        throw DeviceError("--cores-per-worker: {} CPU workers of {} cores asked for, "
                          "{} cores found",
                          asked, cores_per_worker, cores);
}

std::vector<int> cuda_devices_for(const SessionOptions& options)
{
    return share_of(cuda_devices(), options.ranks);
}

void leave_opencl_out(const SessionOptions& options)
{
    if (options.opencl.value_or(number("STARPU_NOPENCL", 0)) == 0 && all_cuda_devices() == 0)
        setenv("OCL_ICD_VENDORS", "/nonexistent", 0);
}

void count_opencl_on_cpus(Environment& e)
{
    if (opencl_devices(false) == 0) e.set_default("STARPU_OPENCL_ON_CPUS", "1");
}

bool keep_pocl_to_its_worker()
{
    if (std::getenv("POCL_DEVICES") || std::getenv("POCL_MAX_PTHREAD_COUNT")) return false;
    return setenv("POCL_DEVICES", "basic", 0) == 0;
}

int pocl_cores()
{
    const char* const devices = std::getenv("POCL_DEVICES");
    if (devices && std::string(devices) == "basic") return 1;
    return number("POCL_MAX_PTHREAD_COUNT", 0);
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

Session::Session(const SessionOptions& options)
    : ranks_(options.ranks ? options.ranks : &one_rank())
{
    if (const char* isa = std::getenv("QCD_ISA"); isa && std::string(isa) != to_string(cpu_isa()))
        throw Error("QCD_ISA: {} is not generic, avx2 or avx512, or not of this CPU, "
                    "which has {}",
                    qcd::quoted(isa), to_string(cpu_isa()));
    scheduler_asked_ = !options.scheduler.empty() || std::getenv("STARPU_SCHED");
    check_environment();
    set_environment(environment_, options);
    check_bindings(number("STARPU_NCUDA", 1) > 0 ? all_cuda_devices() : 0,
                   number("STARPU_NOPENCL", 0) > 0
                       ? opencl_devices(number("STARPU_OPENCL_ON_CPUS", 0) > 0)
                       : 0);
    scheduler_ = std::getenv("STARPU_SCHED");
    if (!has_scheduler(scheduler_)) throw_no_scheduler(scheduler_);
    if (scheduler_ == endless_scheduler)
        throw Error("sched: {} begins no task before all are submitted, and this "
                    "program looks at residuals in between",
                    scheduler_);
    if (const int most = STARPU_MAXCPUS; options.cpus.value_or(0) > most)
        throw DeviceError("{} CPU workers asked for, this StarPU has at most {}, and "
                          "this process {} cores",
                          *options.cpus, most, probe_machine().cores);
    if (options.stop) watch_.emplace(pulse_, *options.stop, stall_patience, options.end_stalled);
    const Pulse::Wait starting(&pulse_);
    require(options.cuda, int(cuda_devices_for(options).size()), "CUDA", cuda_problem());
    const int status = starpu_init(nullptr);
    if (status == -ENODEV)
        require(options.opencl, 0, "OpenCL", opencl_problem()); // missing before what is left
    if (status != 0)
        throw DeviceError("StarPU does not start: {}",
                          status == -ENODEV ? "no worker is left (check --cpus, --cuda, --opencl)"
                                            : std::strerror(-status));
    workers_ = {int(starpu_cpu_worker_get_count()), int(starpu_cuda_worker_get_count()),
                int(starpu_opencl_worker_get_count()), options.cores_per_worker};
    pulse_.hand_to_starpu();
    try {
        require(options.cpus, workers_.cpu, "CPU");
        if (options.gpu_memory && workers_.devices() == 0)
            throw DeviceError("--gpu-memory: no device works in this run");
        require(options.cuda, workers_.cuda, "CUDA", cuda_problem());
        require(options.opencl, workers_.opencl, "OpenCL", opencl_problem());
    } catch (...) {
        starpu_shutdown();
        throw;
    }
    if (workers_.cpu > 0 && !workers_.only_cores()) own_cores_.emplace();
    starpu_malloc_set_align(64);
    if (workers_.devices() > 0) starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
    ranks_->begin_session();
}

/// What StarPU still writes, as a large trace, takes as long as the disk wants.
Session::~Session()
{
    watch_.reset();
    ranks_->end_session();
    opencl_release();
    starpu_shutdown();
}

std::vector<int> Session::worker_ids(starpu_worker_archtype kind) const
{
    std::vector<int> ids(starpu_worker_get_count_by_type(kind));
    starpu_worker_get_ids_by_type(kind, ids.data(), int(ids.size()));
    return ids;
}

std::size_t Session::device_bytes() const
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

long Session::cache_bytes() const
{
    const long of_cores = workers_.cpu > 0 ? last_level_bytes(probe_machine()) : 0;
    return of_cores + cache_bytes_of_devices();
}

double Session::bus_gb_per_s() const
{
    for (int worker = 0; worker < workers_.all(); ++worker) {
        const unsigned node = starpu_worker_get_memory_node(worker);
        if (starpu_node_get_kind(node) != STARPU_CPU_RAM)
            // From MB/s; of several simulated nodes StarPU has no number.
            return std::max(0., starpu_transfer_bandwidth(STARPU_MAIN_RAM, node) / 1e3);
    }
    return 0;
}

Traffic Session::traffic() const
{
    Traffic t;
    if (workers_.devices() == 0) return t;
    for (int bus = 0; bus < starpu_bus_get_count(); ++bus) {
        starpu_profiling_bus_info info;
        starpu_bus_get_profiling_info(bus, &info);
        if (info.transfer_count == 0) continue;
        const unsigned from = unsigned(starpu_bus_get_src(bus)),
                       to = unsigned(starpu_bus_get_dst(bus));
        t.bytes += long(info.transferred_bytes);
        t.seconds += 1e-6 * (double(info.transferred_bytes) / starpu_transfer_bandwidth(from, to) +
                             info.transfer_count * starpu_transfer_latency(from, to));
    }
    return t;
}

std::vector<WorkDone> Session::work() const
{
    std::vector<WorkDone> all(std::size_t(workers_.all()));
    waited_.resize(all.size());
    if (starpu_profiling_status_get() != STARPU_PROFILING_ENABLE) return all;
    const auto seconds = [](timespec t) { return 1e-6 * starpu_timing_timespec_to_us(&t); };
    for (std::size_t worker = 0; worker < all.size(); ++worker) {
        starpu_profiling_worker_info info;
        starpu_profiling_worker_get_info(int(worker), &info);
        WorkDone& w = all[worker];
        w.seconds = seconds(info.executing_time);
        w.flops = workers_.only_cores() ? 0 : info.flops;
        w.idle = seconds(info.sleeping_time);
        // From the last call on are these and the total; 1.4 forgets to begin the others anew.
        const double waited = seconds(info.waiting_time);
        w.waiting = waited - (waited >= waited_[worker] ? waited_[worker] : 0);
        waited_[worker] = waited;
        w.overhead = std::max(0.0, seconds(info.total_time) - w.seconds - w.idle - w.waiting);
    }
    return all;
}

// Only where it changes something: to enable it again sets all counters to 0, those of buses, too.
Profiling::Profiling() : before_(starpu_profiling_status_get())
{
    if (before_ != STARPU_PROFILING_ENABLE) starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
}

Profiling::~Profiling()
{
    if (before_ != STARPU_PROFILING_ENABLE && starpu_is_initialized())
        starpu_profiling_status_set(before_);
}

bool asks_models(std::string_view scheduler)
{
    constexpr std::string_view such[] = {
        "dm",           "pheft",         "heteroprio",   "modular-dm",
        "modular-heft", "modular-pheft", "modular-gemm", "modular-heteroprio"};
    return !scheduler_library_of_environment().empty() ||
           std::any_of(std::begin(such), std::end(such),
                       [&](std::string_view begin) { return scheduler.starts_with(begin); });
}

std::shared_ptr<Schedules> make_schedules()
{
    std::vector<int> workers(starpu_worker_get_count());
    std::iota(workers.begin(), workers.end(), 0);
    std::vector<std::string> kinds;
    for (const int worker : workers) kinds.emplace_back(kind_of_worker(worker));
    const starpu_sched_policy* const policy = starpu_sched_get_sched_policy();
    std::vector<int> gpus;
    for (const int worker : workers)
        if (starpu_worker_get_type(worker) == STARPU_CUDA_WORKER) gpus.push_back(worker);
    auto all = std::make_shared<Schedules>(std::move(workers), std::move(kinds),
                                           policy && asks_models(policy->policy_name));
    all->gpus_reach_each_other = gpus.size() > 1 && peers_reach(gpus);
    return all;
}

} // namespace qcd

#pragma once
// StarPU for the length of a run: workers, scheduler, what moved.

#include "runtime/environment.hpp"
#include "runtime/pulse.hpp"
#include "runtime/session_options.hpp"
#include "runtime/stall_watch.hpp"
#include "runtime/worker_counts.hpp"

#include <sched.h>
#include <starpu.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qcd
{

class Schedules;

/// Keeps OpenCL's libraries out of a process that uses cores only: StarPU and hwloc ask them for
/// devices whatever is wanted (PoCL brings LLVM, 60 MiB). Call it before the first Session.
void leave_opencl_out(const SessionOptions&);

/// CUDA devices for a session, by their numbers: all that kernels are there for, or, of several
/// ranks on this host, this one's share of them; at least one if there is any.
std::vector<int> cuda_devices_for(const SessionOptions&);

/// StarPU looks for OpenCL devices once in a process, in its first session, and a later one may want
/// PoCL, so each session does this. A process that leaves OpenCL out of some does it before all.
void count_opencl_on_cpus(Environment&);

/// A policy that waits for starpu_do_schedule(), so that whoever waits for data before it, waits
/// for ever.
inline constexpr const char* endless_scheduler = "graph_test";

/// Lets PoCL, beside cores, compute in the thread of StarPU's worker, which has a core of its own,
/// and make no threads, which would share the cores of others. Call it before OpenCL is first
/// looked at, which PoCL remembers; it returns false where POCL_DEVICES or POCL_MAX_PTHREAD_COUNT
/// says something else.
bool keep_pocl_to_its_worker();
/// How many cores a PoCL device on cores takes by the environment; 0: all.
int pocl_cores();

/// Throws DeviceError where so many CPU workers of several cores each are more than the cores.
void require_cores(int workers, int cores_per_worker, int cores);

/// While an OwnCores lives, the calling thread stays off the cores of device workers. It spins
/// while it waits for data on a device; on the core of the worker that has to fetch them it would
/// hold that worker up, and with CPU workers on all other cores the system would not move it.
class OwnCores
{
public:
    OwnCores();
    ~OwnCores();
    OwnCores(const OwnCores&) = delete;
    OwnCores& operator=(const OwnCores&) = delete;

private:
    cpu_set_t before_;
    bool known_;
};

/// Does this policy of StarPU ask performance models how long tasks take? One of a library of the
/// user's (STARPU_SCHED_LIB) may.
bool asks_models(std::string_view scheduler);

/// Schedules for all workers of the session that lives, and its scheduler: none yet. For
/// PlanKind::replay.
std::shared_ptr<Schedules> make_schedules();

/// What went over buses.
struct Traffic {
    long bytes = 0;
    double seconds = 0; ///< by the bandwidth and latency that StarPU measured, one after another
};

/// What a worker has done, as StarPU's profiling counts it: each second once.
struct WorkDone {
    double seconds = 0;  ///< in tasks
    double flops = 0;    ///< of them, in sessions with devices
    double waiting = 0;  ///< seconds in no task, until data were there
    double overhead = 0; ///< seconds of StarPU: it chose, began and ended tasks, and told of it
    double idle = 0;     ///< seconds without any task to do
};

/// Starts StarPU; stops it at the end of its life. One at a time; several may follow each other.
class Session
{
public:
    /// Our defaults: no OpenCL workers, scheduler lws on CPUs alone and dmdas with devices. Throws
    /// DeviceError when an asked-for worker or scheduler is missing, or a folder for what StarPU
    /// measures; Error when options contradict each other or QCD_ISA is none. With options.stop a
    /// StallWatch looks after the start, and whatever is waited for until the end begins.
    explicit Session(const SessionOptions&);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    WorkerCounts workers() const { return workers_; }
    /// The ranks that share the run; there is one where it is one process.
    Ranks& ranks() const { return *ranks_; }
    const std::string& scheduler() const { return scheduler_; }
    /// Was a scheduler named by an option or in the environment?
    bool scheduler_was_asked_for() const { return scheduler_asked_; }
    /// StarPU's numbers of the workers of a kind.
    std::vector<int> worker_ids(starpu_worker_archtype) const;
    /// Bytes that StarPU may use of the device that has least of them; 0: no device.
    std::size_t device_bytes() const;
    /// Bytes of the last-level caches of all workers.
    long cache_bytes() const;
    /// Bandwidth from the host's memory to a device, as StarPU measured it; 0: no device.
    double bus_gb_per_s() const;
    /// What moved between memories since the last call, or the start.
    Traffic traffic() const;
    /// What each worker has done since the last call, by StarPU's number: nothing where StarPU does
    /// not profile. It does in sessions with devices, and while a Profiling lives.
    std::vector<WorkDone> work() const;

private:
    Environment environment_; // first: restored last
    Pulse pulse_;
    std::optional<StallWatch> watch_;
    Ranks* ranks_;
    WorkerCounts workers_;
    std::string scheduler_;
    bool scheduler_asked_;
    std::optional<OwnCores> own_cores_;
    mutable std::vector<double> waited_; ///< all seconds of WorkDone::waiting so far
};

/// StarPU profiles during its life.
class Profiling
{
public:
    Profiling();
    ~Profiling(); ///< Restores what it was before.
    Profiling(const Profiling&) = delete;
    Profiling& operator=(const Profiling&) = delete;

private:
    int before_;
};

} // namespace qcd

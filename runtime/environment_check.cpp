#include "runtime/environment_check.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/omp_places.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <initializer_list>
#include <regex>
#include <string>
#include <unistd.h>

namespace qcd
{

namespace
{

struct Kind {
    const char *what, *pattern;
    std::initializer_list<const char*> names;
};

/// Variables of StarPU 1.4 and of OpenMP as GCC has it, but for texts that may be anything, such as
/// names of files, and OMP_PLACES (omp_places.hpp).
const Kind kinds[] = {
    {"a whole number, 0 or more",
     "\\s*\\+?\\d{1,9}",
     {"STARPU_NCPU",
      "STARPU_NCPUS",
      "STARPU_RESERVE_NCPU",
      "STARPU_NCUDA",
      "STARPU_NOPENCL",
      "STARPU_NHIP",
      "STARPU_NMAX_FPGA",
      "STARPU_NMPI_MS",
      "STARPU_NTCPIP_MS",
      "STARPU_CUDA_PIPELINE",
      "STARPU_OPENCL_PIPELINE",
      "STARPU_MAX_MEMORY_USE",
      "STARPU_LIMIT_CPU_MEM",
      "STARPU_LIMIT_CPU_NUMA_MEM",
      "STARPU_LIMIT_CUDA_MEM",
      "STARPU_LIMIT_OPENCL_MEM",
      "STARPU_LIMIT_BANDWIDTH",
      "STARPU_MINIMUM_AVAILABLE_MEM",
      "STARPU_TARGET_AVAILABLE_MEM",
      "STARPU_MINIMUM_CLEAN_BUFFERS",
      "STARPU_TARGET_CLEAN_BUFFERS",
      "STARPU_CALIBRATE",
      "STARPU_CALIBRATE_MINIMUM",
      "STARPU_BUS_CALIBRATE",
      "STARPU_HISTORY_MAX_ERROR",
      "STARPU_MAIN_THREAD_CPUID",
      "STARPU_MAIN_THREAD_COREID",
      "STARPU_MPI_THREAD_CPUID",
      "STARPU_MPI_THREAD_COREID",
      "STARPU_MAIN_THREAD_BIND",
      "STARPU_WORKERS_NOBIND",
      "STARPU_WORKERS_GETBIND",
      "STARPU_WATCHDOG_TIMEOUT",
      "STARPU_WATCHDOG_DELAY",
      "STARPU_WATCHDOG_CRASH",
      "STARPU_PREFETCH",
      "STARPU_USE_NUMA",
      "STARPU_PERF_MODEL_HOMOGENEOUS_CPU",
      "STARPU_OPENCL_ON_CPUS",
      "STARPU_OPENCL_ONLY_ON_CPUS",
      "STARPU_DISABLE_ASYNCHRONOUS_COPY",
      "STARPU_DISABLE_ASYNCHRONOUS_CUDA_COPY",
      "STARPU_DISABLE_ASYNCHRONOUS_OPENCL_COPY",
      "STARPU_DISABLE_KERNELS",
      "STARPU_DISABLE_PINNING",
      "STARPU_ENABLE_CUDA_GPU_GPU_DIRECT",
      "STARPU_ENABLE_MAP",
      "STARPU_CUDA_THREAD_PER_DEV",
      "STARPU_CUDA_THREAD_PER_WORKER",
      "STARPU_CUDA_ONLY_FAST_ALLOC_OTHER_MEMNODES",
      "STARPU_EXPECTED_TRANSFER_TIME_WRITEBACK",
      "STARPU_DATA_LOCALITY_ENFORCE",
      "STARPU_GLOBAL_ARBITER",
      "STARPU_SUBALLOCATOR",
      "STARPU_PCI_FLAT",
      "STARPU_SILENT",
      "STARPU_CATCH_SIGNALS",
      "STARPU_DISPLAY_BINDINGS",
      "STARPU_BUS_STATS",
      "STARPU_MEMORY_STATS",
      "STARPU_STATS",
      "STARPU_TASK_PROGRESS",
      "STARPU_FXT_TRACE",
      "STARPU_GENERATE_TRACE",
      "STARPU_CODELET_PROFILING",
      "STARPU_ENERGY_PROFILING",
      "STARPU_CHECK_ENTIRE_PLATFORM",
      "STARPU_RAND_SEED",
      "STARPU_SIMGRID",
      "STARPU_SINGLE_COMBINED_WORKER",
      "STARPU_WORKER_TREE",
      "STARPU_SCHED_READY",
      "STARPU_SCHED_SORTED_ABOVE",
      "STARPU_SCHED_SORTED_BELOW",
      "STARPU_SCHED_GRAPH_TEST_DESCENDANTS",
      "STARPU_HETEROPRIO_USE_LA",
      "STARPU_HETEROPRIO_USE_AUTO_CALIBRATION",
      "STARPU_HETEROPRIO_CODELET_GROUPING_STRATEGY",
      "STARPU_MIN_PRIO",
      "STARPU_MAX_PRIO",
      "STARPU_TASK_BREAK_ON_EXEC",
      "STARPU_TASK_BREAK_ON_POP",
      "STARPU_TASK_BREAK_ON_PUSH",
      "STARPU_TASK_BREAK_ON_SCHED",
      "STARPU_WORKER_STATS",
      "OMP_DEFAULT_DEVICE",
      "OMP_MAX_ACTIVE_LEVELS",
      "OMP_MAX_TASK_PRIORITY"}},
    {"a whole number, 1 or more",
     "\\s*\\+?0*[1-9]\\d{0,8}",
     {"STARPU_NTHREADS_PER_CORE", "STARPU_TRACE_BUFFER_SIZE", "STARPU_BACKOFF_MIN",
      "STARPU_BACKOFF_MAX", "STARPU_NTASKS_THRESHOLD", "STARPU_LIMIT_MAX_SUBMITTED_TASKS",
      "STARPU_LIMIT_MIN_SUBMITTED_TASKS", "STARPU_MIN_WORKERSIZE", "STARPU_MAX_WORKERSIZE",
      "STARPU_SYNTHESIZE_ARITY_COMBINED_WORKER", "OMP_THREAD_LIMIT"}},
    {"a whole number from 1 to 99", "\\s*\\+?0*[1-9]\\d?", {"STARPU_NWORKER_PER_CUDA"}},
    {"a number",
     "\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)(e[+-]?\\d+)?",
     {"STARPU_SCHED_ALPHA", "STARPU_SCHED_BETA", "STARPU_SCHED_GAMMA", "STARPU_IDLE_POWER",
      "STARPU_EXP_LEN_THRESHOLD", "STARPU_WINDOW_TIME_SIZE"}},
    {"a list of numbers and ranges, as '0 1 4-7'",
     "\\s*\\d{1,6}(-\\d{0,6})?([\\s,]+\\d{1,6}(-\\d{0,6})?)*[\\s,]*",
     {"STARPU_WORKERS_CPUID", "STARPU_WORKERS_COREID"}},
    {"a list of numbers, as '0 1 3'",
     "\\s*\\d{1,6}(\\s+\\d{1,6})*\\s*",
     {"STARPU_WORKERS_CUDAID", "STARPU_WORKERS_OPENCLID"}},
    {"a number of threads from 1 to 9999, or a list of them",
     "\\s*0*[1-9]\\d{0,3}\\s*(,\\s*0*[1-9]\\d{0,3}\\s*)*",
     {"OMP_NUM_THREADS"}},
    {"a schedule, as 'static', 'dynamic,4'",
     "\\s*((non)?monotonic\\s*:\\s*)?(static|dynamic|guided|auto)\\s*(,\\s*0*[1-9]\\d{0,8}\\s*)?",
     {"OMP_SCHEDULE"}},
    {"a name of at most 63 characters, without /", "[^/]{0,63}", {"STARPU_HOSTNAME"}},
    {"true or false", "\\s*(true|false)\\s*", {"OMP_DYNAMIC", "OMP_NESTED", "OMP_CANCELLATION"}},
    {"true, false or verbose", "\\s*(true|false|verbose|0|1)\\s*", {"OMP_DISPLAY_ENV"}},
    {"active or passive", "\\s*(active|passive)\\s*", {"OMP_WAIT_POLICY"}},
    {"true, false, or a list of master, primary, close and spread",
     "\\s*(true|false|(master|primary|close|spread)\\s*(,\\s*(master|primary|close|spread)\\s*)*)"
     "\\s*",
     {"OMP_PROC_BIND"}},
    {"a size, as '512k', '8M'",
     "\\s*\\d{1,15}\\s*[bkmg]?\\s*",
     {"OMP_STACKSIZE", "GOMP_STACKSIZE"}},
    {"a list of CPUs, as '0 3 1-2 4-15:2'",
     "\\s*\\d{1,6}(-\\d{1,6}(:\\d{1,6})?)?([\\s,]+\\d{1,6}(-\\d{1,6}(:\\d{1,6})?)?)*[\\s,]*",
     {"GOMP_CPU_AFFINITY"}}};

/// A range counts by its end; a stride, behind a colon, is no number of a core.
void check_numbers(const char* name, const char* what, int there)
{
    const char* const text = std::getenv(name);
    if (!text) return;
    static const std::regex number(":?\\d+");
    const std::string value(text);
    for (std::sregex_iterator it(value.begin(), value.end(), number), end; it != end; ++it)
        if (it->str()[0] != ':' && std::stol(it->str()) >= there)
            throw Error("{}: no {} {}: this machine has {}", name, what, it->str(),
                        there > 1 ? fmt::format("0 to {}", there - 1) : "0 alone");
}

} // namespace

void check_environment()
{
    for (const Kind& kind : kinds)
        for (const char* const name : kind.names)
            if (const char* const value = std::getenv(name);
                value && !std::regex_match(value, std::regex(kind.pattern, std::regex::icase)))
                throw Error("{}: {} is not {}", name, quoted(value), kind.what);
    const int cpus = int(sysconf(_SC_NPROCESSORS_CONF));
    check_numbers("GOMP_CPU_AFFINITY", "CPU", cpus);
    check_places(cpus);
}

void check_bindings(int cuda_devices, int opencl_devices)
{
    const ProcessingUnits all = probe_processing_units();
    for (const char* const name :
         {"STARPU_MAIN_THREAD_CPUID", "STARPU_MPI_THREAD_CPUID", "STARPU_WORKERS_CPUID"})
        check_numbers(name, "CPU", all.threads);
    for (const char* const name :
         {"STARPU_MAIN_THREAD_COREID", "STARPU_MPI_THREAD_COREID", "STARPU_WORKERS_COREID"})
        check_numbers(name, "core", all.cores);
    const char* const each = std::getenv("STARPU_NTHREADS_PER_CORE");
    if (each && std::atoi(each) > all.threads / all.cores)
        throw Error("STARPU_NTHREADS_PER_CORE: a core of this machine has {}, not {}",
                    all.threads / all.cores, quoted(each));
    if (cuda_devices > 0) check_numbers("STARPU_WORKERS_CUDAID", "CUDA device", cuda_devices);
    if (opencl_devices > 0)
        check_numbers("STARPU_WORKERS_OPENCLID", "OpenCL device", opencl_devices);
}

} // namespace qcd

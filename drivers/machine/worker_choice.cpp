#include "drivers/machine/worker_choice.hpp"

#include "tasks/tiling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>

namespace qcd
{

namespace
{

/// A hop with what belongs to it in a CG iteration in double, measured on H200s
/// (docs/notes/h200-x4.md): the work on a site, and what n GPUs spend on faces and sums (two and
/// four, 16 to 24 cubed: 15, 8 and 21, 20 us; 48 cubed, where it matters little: 54 and 89).
constexpr double site_seconds = 0.26e-9;
double exchange_seconds(int gpus, double slice_sites)
{
    return gpus > 1 ? 8e-6 + 3.4e-6 * gpus + 0.27e-9 * slice_sites : 0;
}

/// A core's share of a lattice. With so much workers of one core each are mostly 3 to 9% slower,
/// with less a seventh or more; above, nothing is certain, and tasks show what each core does
/// (docs/notes/ideas-cores.md).
constexpr long small_share = 65536;

bool is_set(std::initializer_list<const char*> names)
{
    return std::any_of(names.begin(), names.end(), [](const char* n) { return std::getenv(n); });
}

/// Does StarPU's environment ask for devices of a kind?
bool asks_for_devices(const char* name)
{
    const char* count = std::getenv(name);
    return count && std::string(count) != "0";
}

} // namespace

int gpus_that_pay(const Extents& lattice, Precision precision, int available)
{
    const double slice_sites = // as many of double precision as weigh the same
        double(volume(lattice)) / lattice[3] * (precision == Precision::f64 ? 1 : 0.5);
    int best = 1;
    double least = 1e300;
    for (int n = 1; n <= std::min(available, lattice[3] / 2); ++n) {
        const double seconds =
            thickest(lattice[3], n) * slice_sites * site_seconds + exchange_seconds(n, slice_sites);
        if (seconds < least) {
            least = seconds;
            best = n;
        }
    }
    return best;
}

bool cores_share_tasks(const Extents& lattice, int cores)
{
    return cores > 1 && volume(lattice) <= small_share * cores;
}

cli::MachineOptions workers_for(const cli::SolveOptions& o, const Extents& lattice,
                                int available_gpus, int cores,
                                const std::function<void(const std::string&)>& announce)
{
    cli::MachineOptions m = o.machine;
    if (m.tiles || m.gpu_memory || m.split || m.opencl.value_or(0) > 0 || m.cpus.value_or(0) > 0 ||
        asks_for_devices("STARPU_NCUDA") || asks_for_devices("STARPU_NOPENCL") ||
        is_set({"STARPU_NCPU", "STARPU_NCPUS", "STARPU_RESERVE_NCPU", "STARPU_WORKERS_CPUID",
                "STARPU_WORKERS_COREID", "STARPU_WORKERS_CUDAID", "STARPU_MAIN_THREAD_BIND"}))
        return m;
    if (available_gpus == 0 || m.cuda == 0 || (!m.cuda && is_set({"STARPU_NCUDA"}))) {
        if (!m.cores_per_worker && m.sched.empty() && !is_set({"STARPU_SCHED"}) &&
            cores_share_tasks(lattice, cores))
            m.cores_per_worker = cores;
        return m;
    }
    const int gpus = m.cuda.value_or(gpus_that_pay(lattice, o.precision, available_gpus));
    if (!m.cuda && gpus < available_gpus) {
        m.cuda = gpus;
        announce(fmt::format("{} of {}: more would cost more time than they save (--cuda {} takes "
                             "all)",
                             gpus, available_gpus, available_gpus));
    }
    return m;
}

} // namespace qcd

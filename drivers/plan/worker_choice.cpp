#include "drivers/plan/worker_choice.hpp"

#include "drivers/plan/default_tiles.hpp"
#include "program/stop.hpp"
#include "runtime/ranks.hpp"
#include "tasks/tiling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <initializer_list>
#include <unistd.h>

namespace qcd
{

namespace
{

/// A hop with what belongs to it in a CG iteration in double, measured on H200s
/// (docs/lab/h200-x4.md): the work on a site, and what n GPUs spend on faces and sums (two and
/// four, 16 to 24 cubed: 15, 8 and 21, 20 us; 48 cubed, where it matters little: 54 and 89).
constexpr double site_seconds = 0.26e-9;
double exchange_seconds(int gpus, double slice_sites)
{
    return gpus > 1 ? 8e-6 + 3.4e-6 * gpus + 0.27e-9 * slice_sites : 0;
}

/// A graph that is predicted to take at most so much of a batch's time is preferred to it: its
/// tasks are there to be scheduled, and to be looked at.
constexpr double most_for_a_graph = 1.1;

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

namespace
{

/// Is one worker of all cores to have the whole lattice?
bool cores_team_up(const RunSpec& o, const Extents& lattice, int cores)
{
    const ExecutionSpec& m = o.execution;
    if (o.method.ladder()) return false; // a graph
    if (cores == 1) return true;
    if (o.execution.plan() && o.execution.plan()->kind == PlanKind::batch) return true;
    if (!m.sched().empty() || is_set({"STARPU_SCHED"})) return false;
    if (m.tiles()) return volume(*m.tiles()) == 1;
    if (!m.plan() && is_multigrid(o.method)) return true;
    return !o.execution.plan() &&
           graph_over_batch(lattice, cores, real_bytes(o.method.precision())) > most_for_a_graph;
}

void choose_cores(const RunSpec& o, const Extents& lattice, int cores, const Ranks& ranks,
                  SessionOptions& s)
{
    if (ranks.several()) {
        if (!s.cpus) s.cpus = workers_of_rank(cores);
    } else if (o.execution.cores_per_worker()) {
        if (o.execution.plan() && o.execution.plan()->kind == PlanKind::batch) s.cpus = 1;
    } else if (cores_team_up(o, lattice, cores)) {
        s.cores_per_worker = cores;
    }
}

} // namespace

int workers_of_rank(int cores) { return std::max(1, cores - 1); }

std::string gpus_of_ranks(const WorkerCounts& w, Ranks& ranks)
{
    struct Place {
        std::array<char, 64> host{};
        int gpus = 0;
    } mine;
    gethostname(mine.host.data(), mine.host.size() - 1);
    mine.gpus = w.cuda;
    int gpus = 0, with_gpus = 0;
    for (const Place& rank : ranks.all(mine)) {
        if (rank.host != mine.host) continue;
        gpus += rank.gpus;
        with_gpus += rank.gpus > 0;
    }
    if (with_gpus < 2) return "";
    return fmt::format(
        "{} GPUs of this host are those of {} ranks, which exchange faces with a message for each: "
        "one process would link them (GPUs of ranks are not linked)",
        gpus, with_gpus);
}

std::string too_few_cores(const WorkerCounts& w, int cores, int cores_of_host, const Ranks& ranks)
{
    if (!ranks.several() || w.cpu + 1 <= cores) return "";
    const int here = ranks.local_size(), share = cores_of_host / here;
    const auto counted = [](int n, const char* what) {
        return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
    };
    const std::string advice =
        share > w.cpu
            ? fmt::format("mpirun --map-by slot:PE={} gives a rank {} cores", share, share)
        : cores > 1 ? fmt::format("--cpus {} leaves a core to that thread", cores - 1)
                    : fmt::format("this host has {} for {}, and one process would need no messages",
                                  counted(cores_of_host, "core"), counted(here, "rank"));
    return fmt::format("each rank has {} for {} and a thread that speaks with the other ranks, "
                       "which take turns: {}",
                       counted(cores, "core"), counted(w.cpu, "CPU worker"), advice);
}

SessionOptions session_options(const ExecutionSpec& m, bool verbose, Ranks& ranks)
{
    return {.cpus = m.cpus(),
            .cuda = m.cuda(),
            .opencl = m.opencl(),
            .cores_per_worker = m.cores_per_worker().value_or(1),
            .scheduler = m.sched(),
            .scheduler_library = m.sched_lib(),
            .gpu_memory = m.gpu_memory(),
            .cores_beside_gpus = m.split().has_value(),
            .calibrate = m.calibrate,
            .verbose = verbose,
            .ranks = ranks.several() ? &ranks : nullptr,
            .stop = &stop_requested,
            .end_stalled = end_stalled_run};
}

SessionOptions workers_for(const RunSpec& o, const Extents& lattice, int available_gpus, int cores,
                           Ranks& ranks, const std::function<void(const std::string&)>& announce)
{
    const ExecutionSpec& m = o.execution;
    SessionOptions s = session_options(m, o.output.verbose(), ranks);
    if (m.gpu_memory() || m.split() || m.opencl().value_or(0) > 0 || m.cpus().value_or(0) > 0 ||
        asks_for_devices("STARPU_NCUDA") || asks_for_devices("STARPU_NOPENCL") ||
        is_set({"STARPU_NCPU", "STARPU_NCPUS", "STARPU_RESERVE_NCPU", "STARPU_WORKERS_CPUID",
                "STARPU_WORKERS_COREID", "STARPU_WORKERS_CUDAID", "STARPU_MAIN_THREAD_BIND"}))
        return s;
    if (available_gpus == 0 || m.cuda() == 0 || (!m.cuda() && is_set({"STARPU_NCUDA"}))) {
        if (m.cpus() != 0) choose_cores(o, lattice, cores, ranks, s);
        return s;
    }
    if (m.cuda()) return s;
    const bool one = o.execution.plan() && o.execution.plan()->kind == PlanKind::batch;
    s.cuda = one               ? 1
             : ranks.several() ? available_gpus
             : m.tiles()       ? int(std::min<long>(available_gpus, volume(*m.tiles())))
                               : gpus_that_pay(lattice, o.method.precision(), available_gpus);
    if (!one && !m.tiles() && *s.cuda < available_gpus)
        announce(fmt::format("{} of {}: more would cost more time than they save (--cuda {} takes "
                             "all)",
                             *s.cuda, available_gpus, available_gpus));
    return s;
}

} // namespace qcd

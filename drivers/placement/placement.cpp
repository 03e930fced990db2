#include "drivers/placement/placement.hpp"

#include "codelets/runtime/cpu_team.hpp"
#include "codelets/runtime/peer_memory.hpp"
#include "drivers/machine/worker_choice.hpp"
#include "drivers/problem.hpp"
#include "lattice/error.hpp"
#include "tasks/default_tiles.hpp"
#include "tasks/linked_workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>

namespace qcd
{

namespace
{

/// What the largest task, a hop, reads and writes: both parities of the links, four spinors, faces.
std::size_t task_bytes(const Tiling& tiling, Precision p, LinkStorage links)
{
    std::size_t most = 0;
    for (int tile = 0; tile < tiling.tile_count(); ++tile)
        most = std::max(most, std::size_t(tiling.padded_sites(tile)) *
                                  (8 * reals(links) + 4 * QCD_SPINOR_ROWS) * real_bytes(p));
    return most + Halo::bytes(tiling, p) / tiling.tile_count();
}

/// StarPU takes memory of small data in pieces of 32 MiB: one for scalars and one for faces.
constexpr std::size_t small_data = 64 << 20;

/// What is left of a device's memory for the data of tasks.
std::size_t room(std::size_t memory) { return memory > small_data ? memory - small_data : 0; }

/// Tasks whose data a device must hold: one that runs, the next ones, and results on their way.
constexpr std::size_t tasks_at_once = 4;

/// Slabs in t, as many for each GPU, with some to spare.
Extents slabs_for_memory(const Extents& lattice, int gpus, std::size_t memory, Precision p,
                         LinkStorage links)
{
    Extents tiles = {1, 1, 1, gpus};
    while (tiles[3] + gpus <= lattice[3] / 2 &&
           2 * tasks_at_once * task_bytes(Tiling(lattice, tiles), p, links) > room(memory))
        tiles[3] += gpus;
    return tiles;
}

/// Bytes of a solve's data for each device, when they are spread evenly.
std::size_t share_of_fields(const cli::SolveOptions& o, const Tiling& tiling, int devices)
{
    return DiracSolve::bytes(tiling, problem_of(o)) / devices;
}

Extents tiles_for(const cli::SolveOptions& o, const Extents& lattice, const Machine& machine)
{
    if (o.machine.tiles) return *o.machine.tiles;
    const WorkerCounts w = machine.workers();
    const Extents tiles = default_tiles(lattice, machine, real_bytes(o.precision));
    const std::size_t memory = machine.device_bytes();
    const int devices = w.devices();
    if (memory == 0 || w.cpu > 0 || devices > lattice[3] / 2) return tiles;
    return share_of_fields(o, Tiling(lattice, tiles), devices) <= room(memory)
               ? tiles
               : slabs_for_memory(lattice, devices, memory, o.precision, *o.links);
}

/// Why workers cannot exchange faces and sums by themselves, whatever the tiles; empty: they can.
std::string why_not_linked(const Machine& machine)
{
    const WorkerCounts w = machine.workers();
    if (w.all() == 1) return "one worker has all tiles";
    if (w.opencl > 0 || (w.cpu > 0 && w.cuda > 0))
        return "only CPU workers or CUDA devices alone can";
    if (w.all() > most_linked_workers)
        return fmt::format("of {} only {} can", w.all(), most_linked_workers);
    if (w.cores_per_cpu > 1) return "several workers of several cores cannot (--cores-per-worker)";
    if (machine.scheduler_was_asked_for())
        return "a scheduler was asked for (--sched, STARPU_SCHED)";
    // Part of what has to run at once could wait for the rest.
    if (w.cpu > 0 && std::getenv("STARPU_LIMIT_MAX_SUBMITTED_TASKS"))
        return "STARPU_LIMIT_MAX_SUBMITTED_TASKS is set";
    return "";
}

/// The same on these tiles. GPUs must reach each other's memory and hold all their data at once.
std::string why_not_linked(const cli::SolveOptions& o, const Tiling& tiling, const Machine& machine)
{
    const std::string why = why_not_linked(machine);
    const int workers = machine.workers().all();
    const bool gpus = machine.workers().cuda > 0;
    if (!why.empty()) return why;
    if (gpus && o.machine.gpu_memory) return "--gpu-memory lets data travel";
    if (gpus && share_of_fields(o, tiling, workers) > room(machine.device_bytes()))
        return "a GPU cannot hold its share of the fields";
    if (tiling.tile_count() != workers)
        return fmt::format("{} tiles for {} workers (--tiles)", tiling.tile_count(), workers);
    if (gpus && !peers_reach(machine.worker_ids(STARPU_CUDA_WORKER)))
        return "these GPUs do not reach each other's memory";
    return "";
}

/// Are CPU workers to do it, where nobody says?
bool cores_should_link(const Machine& machine, const Extents& lattice)
{
    return cores_share_tasks(lattice, machine.workers().cpu) && why_not_linked(machine).empty();
}

/// Do workers exchange faces and sums by themselves?
bool workers_link(const cli::SolveOptions& o, const Tiling& tiling, const Machine& machine)
{
    if (!why_not_linked(o, tiling, machine).empty()) return false;
    if (machine.workers().cuda > 0) return true;
    if (o.batch) return *o.batch > 1;
    return !o.operations_apart && cores_should_link(machine, tiling.lattice());
}

/// Of the lattice, that of the device that has most of it.
double largest_share(const Tiling& tiling, const SplitLayout& layout)
{
    std::map<int, double> sites; // of one parity, of each device
    for (int tile = 0; tile < tiling.tile_count(); ++tile)
        if (const int worker = layout.workers[tile];
            starpu_worker_get_type(worker) != STARPU_CPU_WORKER)
            sites[worker] += double(tiling.sites(tile));
    double most = 0;
    for (const auto& [worker, n] : sites) most = std::max(most, n);
    return 2 * most / double(volume(tiling.lattice()));
}

} // namespace

void require_device_memory(const Machine& machine, const Tiling& tiling, Precision p,
                           LinkStorage links, std::size_t bytes, double share)
{
    const std::size_t memory = machine.device_bytes();
    if (memory == 0) return;
    if (share == 0) share = 1.0 / machine.workers().devices();
    const std::size_t at_once = tasks_at_once * task_bytes(tiling, p, links);
    if (share * double(bytes) <= double(memory) || at_once <= room(memory)) return;
    throw DeviceError(fmt::format(
        "memory: a device of {:.0f} MiB cannot hold the fields, nor what tasks on {} tiles need "
        "at once, {:.0f} MiB; thinner tiles (--tiles) need less",
        memory / 1048576.0, tiling.tile_count(), (at_once + small_data) / 1048576.0));
}

bool cores_link(const Machine& machine, const Tiling& tiling)
{
    return cores_should_link(machine, tiling.lattice()) &&
           tiling.tile_count() == machine.workers().cpu;
}

Extents default_tiles(const Extents& lattice, const Machine& machine, std::size_t real_bytes)
{
    const WorkerCounts w = machine.workers();
    if (w.cpu == 0) return slabs_for_devices(lattice, w.all());
    const auto choose =
        cores_should_link(machine, lattice) ? tiles_for_linked_cores : tiles_for_cores;
    return choose(lattice, w.all(), double(cache_of_cpu_workers()), real_bytes);
}

TileOwners::TileOwners(const Machine& machine, const Tiling& tiling, bool linked)
{
    const WorkerCounts w = machine.workers();
    if (w.all() == 1 || w.all() != tiling.tile_count()) return;
    if (machine.scheduler_was_asked_for()) return;
    if (w.cuda == w.all())
        assign_tiles(machine.worker_ids(STARPU_CUDA_WORKER), linked);
    else if (w.cpu == w.all())
        assign_tiles(machine.worker_ids(STARPU_CPU_WORKER), linked);
}

Placement::Placement(const cli::SolveOptions& o, const Extents& lattice, const Machine& machine)
    : tiling_(lattice, tiles_for(o, lattice, machine), machine.workers().suits()),
      owners_(machine, tiling_, workers_link(o, tiling_, machine))
{
    const WorkerCounts w = machine.workers();
    require_device_memory(machine, tiling_, o.precision, *o.links, share_of_fields(o, tiling_, 1));
    const std::string why = why_not_linked(o, tiling_, machine);
    takes_batches_ = w.all() == 1 || why.empty();
    if (o.batch.value_or(1) > 1 && !takes_batches_)
        throw Error("--batch: these workers do not exchange faces and sums by themselves: " + why);
    const bool one = one_worker_has_all(w, tiling_);
    operations_apart_ = o.operations_apart && (one || cores_link(machine, tiling_));
    if (o.batch)
        batch_ = *o.batch;
    else if ((one && !operations_apart_) || !linked_workers().empty())
        batch_ = w.cpu > 0 ? batch_for_cores(lattice, w.cores())
                           : batch_for(lattice, tiling_.tile_count());
}

Placement::Placement(const cli::SolveOptions& o, const Extents& lattice, const Machine& machine,
                     const SplitLayout& layout)
    : tiling_(lattice, layout.thickness), owners_(layout)
{
    require_device_memory(machine, tiling_, o.precision, *o.links, share_of_fields(o, tiling_, 1),
                          largest_share(tiling_, layout));
}

int batch_for(const Extents& lattice, int gpus)
{
    const long least = gpus > 1 ? 8 : 2, most = 16;
    return int(std::clamp(16 * 131072 * gpus / volume(lattice), least, most));
}

int batch_for_cores(const Extents& lattice, int cores)
{
    return int(std::clamp(4L * 65536 * cores / volume(lattice), 1L, long(max_batch)));
}

} // namespace qcd

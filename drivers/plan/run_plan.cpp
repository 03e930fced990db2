#include "drivers/plan/run_plan.hpp"

#include "base/error.hpp"
#include "drivers/plan/default_tiles.hpp"
#include "drivers/plan/ladder_plan.hpp"
#include "drivers/plan/rank_grid.hpp"
#include "drivers/plan/schedule_file.hpp"
#include "drivers/plan/worker_choice.hpp"
#include "drivers/spec/dirac_problem.hpp"
#include "runtime/cpu_team.hpp"
#include "runtime/peer_memory.hpp"
#include "runtime/ranks.hpp"
#include "runtime/schedule.hpp"
#include "runtime/session.hpp"
#include "tasks/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace qcd
{

namespace
{

Suits suits_of(const WorkerCounts& w)
{
    return w.only_cores() ? Suits::cores : w.all() == w.cuda ? Suits::cuda : Suits::devices;
}

/// What the largest task, a hop, reads and writes: both parities of the links, A and B of the clover
/// term, and of each right-hand side four spinors and faces.
std::size_t task_bytes(const Tiling& tiling, Precision p, LinkStorage links, bool clover, int rhs)
{
    const std::size_t bytes_of_site =
        8 * reals(links) * real_bytes(p) + rhs * 4 * spinor_bytes(p) +
        (clover ? 2 * QCD_CLOVER_ROWS * real_bytes(plain_precision(p)) : 0);
    std::size_t most = 0;
    for (int tile = 0; tile < tiling.tile_count(); ++tile)
        most = std::max(most, std::size_t(tiling.padded_sites(tile)) * bytes_of_site);
    return most + rhs * Halo::bytes(tiling, p) / tiling.tile_count();
}

/// StarPU takes memory of small data in pieces of 32 MiB: one for scalars and one for faces.
constexpr std::size_t small_data = 64 << 20;

/// What is left of a device's memory for the data of tasks.
std::size_t room(std::size_t memory) { return memory > small_data ? memory - small_data : 0; }

/// Tasks whose data a device must hold: one that runs, the next ones, and results on their way.
constexpr std::size_t tasks_at_once = 4;

/// Slabs in t, as many for each GPU, with some to spare.
Extents slabs_for_memory(const Extents& lattice, int gpus, std::size_t memory, Precision p,
                         LinkStorage links, bool clover, int rhs)
{
    Extents tiles = {1, 1, 1, gpus};
    while (tiles[3] + gpus <= lattice[3] / 2 &&
           2 * tasks_at_once * task_bytes(Tiling(lattice, tiles), p, links, clover, rhs) >
               room(memory))
        tiles[3] += gpus;
    return tiles;
}

/// The share of the lattice that the device with the largest one has.
double largest_share(const Tiling& tiling, const SplitLayout& layout, const Workers& w)
{
    std::map<int, double> sites; // of one parity, of each device
    for (int tile = 0; tile < tiling.tile_count(); ++tile)
        if (const int worker = layout.workers[tile];
            std::find(w.cpu.begin(), w.cpu.end(), worker) == w.cpu.end())
            sites[worker] += double(tiling.sites(tile));
    double most = 0;
    for (const auto& [worker, n] : sites) most = std::max(most, n);
    return 2 * most / double(volume(tiling.lattice()));
}

std::string counted(const WorkerCounts& w)
{
    std::string text;
    const auto add = [&](int n, const std::string& kind) {
        if (n > 0)
            text += fmt::format("{}{} {} worker{}", text.empty() ? "" : " and ", n, kind,
                                n == 1 ? "" : "s");
    };
    add(w.cpu, w.cores_per_cpu > 1 ? fmt::format("CPU ({} cores)", w.cores_per_cpu) : "CPU");
    add(w.cuda, "CUDA");
    add(w.opencl, "OpenCL");
    return text;
}

std::string why_not_scheduled(const Workers& w)
{
    return w.scheduler_was_asked_for ? "a scheduler was asked for (--sched, STARPU_SCHED), "
                                       "which would have nothing to choose"
                                     : "";
}

/// Makes the plans of one run.
class Planner
{
public:
    Planner(const RunSpec& o, const Extents& lattice, const Workers& w)
        : o_(o), lattice_(lattice), w_(w), counts_(w.counts),
          multigrid_(is_multigrid(o.method) ? problem_of(o).preconditioning->multigrid
                                            : std::nullopt)
    {
    }

    RunPlan plan() const
    {
        if (o_.execution.plan()) {
            if (const std::string why = why_not(o_.execution.plan()->kind); !why.empty())
                throw Error(
                    fmt::format("--plan {}: {}", to_string(o_.execution.plan()->kind), why));
            return made(o_.execution.plan()->kind, "");
        }
        const PlanKind kind = chosen();
        return made(kind, why_chosen(kind));
    }

    RunPlan split(const SplitLayout& layout) const
    {
        if (o_.execution.plan() && o_.execution.plan()->kind != PlanKind::pinned)
            throw Error(fmt::format("--plan {}: with --split each slab has its worker, which is "
                                    "plan pinned",
                                    to_string(o_.execution.plan()->kind)));
        RunPlan p = begin_plan(PlanKind::pinned, lattice_, w_);
        p.rhs = o_.execution.rhs().value();
        p.thickness = layout.thickness;
        p.owners = layout.workers;
        require_device_memory(w_, p.tiling(), o_.method.precision(), *o_.method.links(),
                              o_.problem.csw() != 0, p.rhs, bytes(p.tiling()),
                              largest_share(p.tiling(), layout, w_));
        p.why = "--split gives each worker its slab";
        return p;
    }

    /// Can the free bytes that a rank may have, and its devices, hold its share of the fields?
    bool hold(int rhs, std::size_t free_bytes) const
    {
        const Extents grid = rank_grid(lattice_, w_.rank_count(), o_.execution.tiles());
        const std::size_t mine = DiracSolve::bytes(
            Tiling(thickest_share(lattice_, grid), {1, 1, 1, 1}, suits_of(counts_)), problem_of(o_),
            true, rhs);
        const std::size_t devices = std::size_t(counts_.devices());
        return (free_bytes == 0 || mine <= free_bytes / 10 * 9) &&
               (devices == 0 || mine / devices <= room(w_.device_bytes));
    }

private:
    std::size_t bytes(const Tiling& tiling) const
    {
        return DiracSolve::bytes(tiling, problem_of(o_), !o_.method.iterations(),
                                 o_.execution.rhs().value());
    }
    /// Can every device hold its share of the fields?
    bool fit(const Tiling& tiling) const
    {
        return w_.device_bytes == 0 || counts_.devices() == 0 ||
               bytes(tiling) / std::size_t(counts_.devices()) <= room(w_.device_bytes);
    }

    PlanKind chosen() const
    {
        if (w_.rank_count() > 1) return PlanKind::graph;
        if (counts_.all() == 1 && why_not(PlanKind::batch).empty()) return PlanKind::batch;
        if (counts_.all() > 1 && counts_.cuda == counts_.all()) {
            if (why_not(PlanKind::linked).empty()) return PlanKind::linked;
            const Extents tiles = tiles_for(PlanKind::pinned);
            if (!w_.scheduler_was_asked_for && volume(tiles) == counts_.all())
                return PlanKind::pinned;
        }
        return is_rather_replayed() ? PlanKind::replay : PlanKind::graph;
    }
    /// Measured on H200s, tasks of several tiles took 1.03 to 5 times as long as their replay; on
    /// PoCL, which computes on cores, as long (docs/plans.md). Who asks for a scheduler wants to see
    /// it at work.
    bool is_rather_replayed() const
    {
        return counts_.cuda > 0 && !w_.scheduler_was_asked_for && !multigrid_ &&
               why_not(PlanKind::replay).empty();
    }

    std::string why_chosen(PlanKind kind) const
    {
        if (kind == PlanKind::graph && counts_.all() > 1 && counts_.cuda == counts_.all())
            return why_not(PlanKind::linked);
        if (kind == PlanKind::batch && multigrid_)
            return "one worker has the lattice: tasks on coarse levels are very short";
        if (kind == PlanKind::batch && counts_.cores_per_cpu > 1)
            return fmt::format("as a graph it would take about {:.0f}% longer (--plan graph)",
                               100 * (graph_over_batch(lattice_, counts_.cores(),
                                                       real_bytes(o_.method.precision())) -
                                      1));
        if (kind == PlanKind::batch) return "one worker has the lattice";
        if (kind == PlanKind::replay)
            return "as a graph it would take longer: a GPU waits for each task (--plan graph)";
        if (kind == PlanKind::graph && counts_.all() == 1) return why_not(PlanKind::batch);
        if (kind == PlanKind::pinned) return why_not(PlanKind::linked);
        return "";
    }

    /// Empty: it can be had.
    std::string why_not(PlanKind kind) const
    {
        switch (kind) {
        case PlanKind::graph:
            return "";
        case PlanKind::pinned:
            return why_not_pinned(w_, volume(tiles_for(PlanKind::pinned)) / w_.rank_count());
        case PlanKind::batch:
            if (w_.rank_count() > 1) return "a batch is of the whole lattice, which ranks share";
            return why_not_batch();
        case PlanKind::replay:
            return why_not_replayed();
        case PlanKind::linked:
            break;
        }
        if (w_.rank_count() > 1) return "ranks exchange faces and sums by StarPU";
        return why_not_linked();
    }
    std::string why_not_batch() const
    {
        if (counts_.all() > 1)
            return fmt::format("a batch is for one worker, this run has {}", counted(counts_));
        if (const std::string why = why_not_scheduled(w_); !why.empty()) return why;
        if (o_.execution.tiles() && volume(*o_.execution.tiles()) > 1)
            return fmt::format("a batch is of the whole lattice, --tiles cuts it into {}",
                               volume(*o_.execution.tiles()));
        const Tiling whole(lattice_, {1, 1, 1, 1}, suits_of(counts_));
        if (!whole.kernels_can_index()) return "kernels cannot number the sites of so large a tile";
        if (!fit(whole)) return "the device cannot hold the fields";
        return "";
    }
    /// Nothing is evicted while lists are executed, and what a schedule gives to one device may be
    /// all.
    std::string why_not_replayed() const
    {
        if (w_.rank_count() > 1) return "messages between ranks are StarPU's, and not replayed";
        if (const std::string why = why_not_replayed_by(counts_); !why.empty()) return why;
        if (o_.execution.gpu_memory()) return "--gpu-memory lets data travel";
        if (w_.device_bytes > 0 && counts_.devices() > 0 &&
            bytes(tiling_for(PlanKind::replay, {1, 1, 1, 1}, suits_of(counts_))) >
                room(w_.device_bytes))
            return counts_.devices() == 1 ? "the device cannot hold the fields"
                                          : "a device alone cannot hold all fields";
        return "";
    }
    /// GPUs must reach each other's memory and hold all their data at once.
    std::string why_not_linked() const
    {
        if (multigrid_) return "multigrid moves what tiles need by StarPU";
        if (counts_.cuda < 2 || counts_.cuda != counts_.all())
            return "only several GPUs, by CUDA and alone, move faces and sums themselves";
        if (counts_.all() > most_linked_workers)
            return fmt::format("of {} GPUs only {} can be linked", counts_.all(),
                               most_linked_workers);
        if (const std::string why = why_not_scheduled(w_); !why.empty()) return why;
        if (o_.execution.gpu_memory()) return "--gpu-memory lets data travel";
        const Tiling tiling(lattice_, tiles_for(PlanKind::linked), suits_of(counts_));
        if (!fit(tiling)) return "a GPU cannot hold its share of the fields";
        if (tiling.tile_count() != counts_.all())
            return fmt::format("{} tiles for {} GPUs (--tiles)", tiling.tile_count(),
                               counts_.all());
        if (!w_.gpus_reach_each_other) return "these GPUs do not reach each other's memory";
        return "";
    }

    Extents tiles_for(PlanKind kind) const
    {
        if (o_.execution.tiles()) return *o_.execution.tiles();
        if (kind == PlanKind::batch) return {1, 1, 1, 1};
        if (multigrid_)
            return tiles_of_units(lattice_, tiles_for(kind, lattice_),
                                  multigrid_unit(*multigrid_, lattice_));
        if (w_.rank_count() == 1) return tiles_for(kind, lattice_);
        const Extents grid = rank_grid(lattice_, w_.rank_count(), {});
        Extents tiles = tiles_for(kind, thickest_share(lattice_, grid));
        const auto thickness = thickness_of_ranks(lattice_, grid, tiles);
        for (int mu = 0; mu < 4; ++mu) tiles[mu] = int(thickness[mu].size());
        return w_.ranks->from_rank(0, tiles); // another may have other workers
    }
    /// Tiles of a lattice, or of the part of it that one rank has.
    Extents tiles_for(PlanKind kind, const Extents& l) const
    {
        if (counts_.cpu == 0) {
            const int each = w_.rank_count() > 1 ? slabs_each_on_ranks(l, counts_.all()) : 1;
            const Extents slabs = slabs_for_devices(l, each * counts_.all());
            if (counts_.all() > l[3] / 2 || fit(Tiling(l, slabs))) return slabs;
            return slabs_for_memory(l, counts_.all(), w_.device_bytes, o_.method.precision(),
                                    *o_.method.links(), o_.problem.csw() != 0,
                                    o_.execution.rhs().value());
        }
        const std::size_t real = real_bytes(o_.method.precision());
        const bool several = kind != PlanKind::pinned && counts_.only_cores() && counts_.cpu > 1;
        return tiles_for_cores(l, counts_.all(), several ? 2 : 1, w_.cache_bytes, real);
    }
    /// The tiling, of which each rank has as many tiles.
    Tiling tiling_for(PlanKind kind, const Extents& grid, Suits suits) const
    {
        Extents tiles = tiles_for(kind);
        if (w_.rank_count() == 1) return Tiling(lattice_, tiles, suits);
        for (int mu = 0; mu < 4; ++mu) tiles[mu] /= grid[mu];
        return Tiling(lattice_, thickness_of_ranks(lattice_, grid, tiles), suits);
    }

    RunPlan made(PlanKind kind, std::string why) const
    {
        RunPlan p = begin_plan(kind, lattice_, w_);
        p.why = std::move(why);
        p.rhs = o_.execution.rhs().value();
        if (o_.execution.tiles()) Tiling(lattice_, *o_.execution.tiles()); // can it be cut so?
        p.rank_grid = rank_grid(lattice_, w_.rank_count(), o_.execution.tiles());
        const Tiling tiling = tiling_for(kind, p.rank_grid, p.suits);
        p.thickness = tiling.thickness();
        require_device_memory(w_, tiling, o_.method.precision(), *o_.method.links(),
                              o_.problem.csw() != 0, p.rhs,
                              std::size_t(p.largest_share() * double(bytes(tiling))));
        if (kind == PlanKind::pinned || kind == PlanKind::linked) p.owners = w_.all();
        if (kind == PlanKind::replay)
            p.schedules =
                schedules_for(w_, o_.execution.plan() ? o_.execution.plan()->file : std::string());
        if (p.collects())
            p.iterations = o_.execution.plan() && o_.execution.plan()->iterations
                               ? *o_.execution.plan()->iterations
                               : iterations_for(lattice_, counts_);
        return p;
    }

    const RunSpec& o_;
    Extents lattice_;
    const Workers& w_;
    WorkerCounts counts_;
    std::optional<MultigridParameters> multigrid_; // of a preconditioner that is one
};

} // namespace

int rhs_that_fit(const RunSpec& o, const Extents& lattice, const Workers& w, std::size_t free_bytes)
{
    Ranks& ranks = w.ranks ? *w.ranks : one_rank();
    const Planner planner(o, lattice, w);
    for (const int rhs : {12, 6, 4, 3, 2})
        if (!ranks.any(!planner.hold(rhs, free_bytes / std::size_t(ranks.local_size()))))
            return rhs;
    return 1;
}

std::shared_ptr<Schedules> schedules_for(const Workers& w, const std::string& file)
{
    std::vector<std::string> kinds(w.cpu.size(), "CPU");
    kinds.insert(kinds.end(), w.cuda.size(), "CUDA");
    kinds.insert(kinds.end(), w.opencl.size(), "OpenCL");
    auto all = std::make_shared<Schedules>(w.all(), kinds, asks_models(w.scheduler));
    all->gpus_reach_each_other = w.gpus_reach_each_other;
    if (!file.empty()) all->give(read_schedules(file, kinds));
    return all;
}

int iterations_for(const Extents& lattice, const WorkerCounts& w)
{
    return w.cpu > 0 ? batch_for_cores(lattice, w.cores()) : batch_for(lattice, w.all());
}

RunPlan begin_plan(PlanKind kind, const Extents& lattice, const Workers& w)
{
    RunPlan p;
    p.kind = kind;
    p.lattice = lattice;
    p.workers = w.counts;
    p.ranks = w.ranks;
    p.suits = suits_of(w.counts);
    if (w.rank_count() > 1 && w.ranks->any(p.suits != Suits::cores)) // faces are the same data
        p.suits = Suits::devices;                                    // everywhere
    p.cores_per_worker = w.counts.cores_per_cpu;
    p.scheduler = has_scheduler(kind) && (w.counts.all() > 1 || w.scheduler_was_asked_for)
                      ? w.scheduler
                      : "none";
    return p;
}

std::string why_not_pinned(const Workers& w, long tiles)
{
    if (const std::string why = why_not_scheduled(w); !why.empty()) return why;
    if (tiles < w.counts.all())
        return fmt::format("{} tile{} for {} workers (--tiles)", tiles, tiles == 1 ? "" : "s",
                           w.counts.all());
    return "";
}

int Workers::rank_count() const { return ranks ? ranks->size() : 1; }

std::vector<int> Workers::all() const
{
    std::vector<int> ids = cpu;
    ids.insert(ids.end(), cuda.begin(), cuda.end());
    ids.insert(ids.end(), opencl.begin(), opencl.end());
    return ids;
}

Workers workers_of(const Session& session)
{
    Workers w{.counts = session.workers(),
              .cpu = session.worker_ids(STARPU_CPU_WORKER),
              .cuda = session.worker_ids(STARPU_CUDA_WORKER),
              .opencl = session.worker_ids(STARPU_OPENCL_WORKER),
              .scheduler = session.scheduler(),
              .scheduler_was_asked_for = session.scheduler_was_asked_for(),
              .device_bytes = session.device_bytes(),
              .cache_bytes = double(cache_of_cpu_workers(session.workers().cores_per_cpu)),
              .ranks = &session.ranks()};
    w.gpus_reach_each_other = w.cuda.size() > 1 && peers_reach(w.cuda);
    return w;
}

Extents RunPlan::tiles() const
{
    return {int(thickness[0].size()), int(thickness[1].size()), int(thickness[2].size()),
            int(thickness[3].size())};
}

Tiling RunPlan::tiling() const { return Tiling(lattice, thickness, suits); }

double RunPlan::largest_share() const
{
    return double(volume(thickest_share(lattice, rank_grid))) / double(volume(lattice));
}

const char* RunPlan::exchange() const
{
    return volume(tiles()) == 1 ? "nobody" : kind == PlanKind::linked ? "kernels" : "StarPU";
}

std::string RunPlan::task() const
{
    if (!collects()) return "one operation on one tile";
    if (kind == PlanKind::replay)
        return fmt::format("one operation on one tile, until an iteration has a schedule, then a "
                           "worker's list of up to {} iterations",
                           iterations);
    const char* of = kind == PlanKind::batch ? "the lattice" : "one tile";
    return iterations == 1 ? fmt::format("an iteration on {}", of)
                           : fmt::format("up to {} iterations on {}", iterations, of);
}

std::string to_string(const RunPlan& p)
{
    const long tiles = volume(p.tiles());
    const long ranks = volume(p.rank_grid);
    const std::string of_ranks =
        ranks == 1 ? ""
                   : fmt::format("{} ranks, {} of them in each direction, each of ", ranks,
                                 to_string(p.rank_grid));
    std::string text = fmt::format("{}: {} tile{} on {}{}; a task is {}", to_string(p.kind), tiles,
                                   tiles == 1 ? "" : "s", of_ranks, counted(p.workers), p.task());
    if (!p.owners.empty()) text += ", by its owner";
    text += p.scheduler == "none" ? "; StarPU has nothing to choose"
                                  : fmt::format("; StarPU's {} chooses its worker", p.scheduler);
    return text;
}

void require_device_memory(const Workers& w, const Tiling& tiling, Precision p, LinkStorage links,
                           bool clover, int rhs, std::size_t bytes, double share)
{
    require_device_memory(w, tiling.tile_count(), task_bytes(tiling, p, links, clover, rhs), bytes,
                          share);
}

void require_device_memory(const Workers& w, int tiles, std::size_t task_bytes, std::size_t bytes,
                           double share)
{
    const std::size_t memory = w.device_bytes;
    if (memory == 0) return;
    if (share == 0) share = 1.0 / w.counts.devices();
    const std::size_t at_once = tasks_at_once * task_bytes;
    if (share * double(bytes) <= double(memory) || at_once <= room(memory)) return;
    throw DeviceError(fmt::format(
        "memory: a device of {:.0f} MiB cannot hold the fields, nor what tasks on {} tiles need "
        "at once, {:.0f} MiB; thinner tiles (--tiles) need less",
        memory / 1048576.0, tiles, (at_once + small_data) / 1048576.0));
}

RunPlan make_plan(const RunSpec& o, const Extents& lattice, const Workers& w,
                  const SplitLayout* layout)
{
    if (o.method.ladder()) return make_ladder_plan(o, lattice, w, layout);
    const Planner planner(o, lattice, w);
    return layout ? planner.split(*layout) : planner.plan();
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

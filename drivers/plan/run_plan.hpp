#pragma once
// How a run executes, as one value: made here from options, workers, lattice and the constants of
// the machine model, never from a timing (docs/plans.md).

#include "drivers/spec/commands.hpp"
#include "runtime/plan.hpp"
#include "runtime/worker_counts.hpp"
#include "tasks/tiling.hpp"

#include <array>
#include <string>
#include <vector>

namespace qcd
{

class Session;

/// What a plan is made for.
struct Workers {
    WorkerCounts counts;
    std::vector<int> cpu, cuda, opencl; ///< StarPU's numbers
    std::string scheduler;              ///< of StarPU
    bool scheduler_was_asked_for = false;
    std::size_t device_bytes = 0; ///< of the device that has least memory; 0: no device
    double cache_bytes = 0;       ///< that cores together can count on
    bool gpus_reach_each_other = false;
    Ranks* ranks = nullptr; ///< that have each as many; null: one

    int rank_count() const;
    std::vector<int> all() const; ///< cores first
};
Workers workers_of(const Session&);

/// Tiles of unequal thickness, each with its worker (StarPU's number).
struct SplitLayout {
    std::array<std::vector<int>, 4> thickness;
    std::vector<int> workers;
};

struct RunPlan : Plan {
    Extents lattice{};
    std::array<std::vector<int>, 4> thickness; ///< of the tiles, per direction
    WorkerCounts workers;                      ///< of this rank
    Extents rank_grid{1, 1, 1, 1};             ///< ranks per direction
    int rhs = 1;                               ///< right-hand sides of a solve
    Suits suits = Suits::devices;
    std::string scheduler; ///< of StarPU; "none" where it has nothing to choose
    std::string why;       ///< in one line, where it was not asked for; may be empty

    Extents tiles() const; ///< per direction
    Tiling tiling() const;
    /// The share of the lattice that the rank with the largest one has.
    double largest_share() const;
    /// Who moves faces and sums: "StarPU", "kernels", or "nobody" where there is one tile.
    const char* exchange() const;
    /// What a task is.
    std::string task() const;
    bool operator==(const RunPlan&) const = default;
};

/// One line for people.
std::string to_string(const RunPlan&);

/// What was asked for restricts, and the rest is chosen. `layout`: of --split, else null. Throws
/// Error (exit status 2) when what was asked for contradicts itself, DeviceError where devices lack
/// memory: they can hold neither their share of the fields nor the data of the tasks that they need
/// at the same time, so that StarPU would wait for ever.
RunPlan make_plan(const RunSpec&, const Extents& lattice, const Workers&,
                  const SplitLayout* layout = nullptr);

/// How many right-hand sides there may be of RunSpec::rhs at a time: the largest of 12, 6, 4,
/// 3, 2 that the free memory of this host, which its ranks share, and that of devices hold, or 1.
/// All ranks get the same answer.
int rhs_that_fit(const RunSpec&, const Extents& lattice, const Workers&, std::size_t free_bytes);

/// Its beginning: all but tiles, owners and iterations.
RunPlan begin_plan(PlanKind, const Extents& lattice, const Workers&);
/// The schedules that these workers replay: those of a file, or none yet where its name is empty.
std::shared_ptr<Schedules> schedules_for(const Workers&, const std::string& file);
/// Most iterations of a task, where nobody says how many.
int iterations_for(const Extents& lattice, const WorkerCounts&);
/// Why so many tiles cannot each have their worker; empty: they can.
std::string why_not_pinned(const Workers&, long tiles);
/// Throws DeviceError where a device can hold neither its share (0: all devices have as much) of
/// `bytes`, nor what several tasks of at most task_bytes need.
void require_device_memory(const Workers&, int tiles, std::size_t task_bytes, std::size_t bytes,
                           double share);

/// The part of that check where `bytes` are spread evenly over the devices (share 0), or one has so
/// much of them. clover: hops have a clover term.
void require_device_memory(const Workers&, const Tiling&, Precision, LinkStorage, bool clover,
                           int rhs, std::size_t bytes, double share = 0);

/// Most iterations of a task where GPUs have the whole lattice, and a task of its own for every
/// kernel would show: as many as take a millisecond or so. Several GPUs have to begin a task
/// together, which costs 70 us more than going on (docs/lab/several-gpus.md).
int batch_for(const Extents& lattice, int gpus = 1);

/// Iterations of a batch where one CPU worker of several cores has the whole lattice: as many as
/// took 10 to 35 ms on two cores.
int batch_for_cores(const Extents& lattice, int cores);

} // namespace qcd

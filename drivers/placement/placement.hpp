#pragma once
// How a solve is laid out on the workers of a run: tiles, who computes which, iterations per task.

#include "drivers/machine/machine.hpp"
#include "tasks/submit.hpp"

#include <array>
#include <vector>

namespace qcd
{

/// Tiles of unequal thickness, each with its worker (StarPU's number).
struct SplitLayout {
    std::array<std::vector<int>, 4> thickness;
    std::vector<int> workers;
};

/// Does one device, or one CPU worker of several cores, work alone on a lattice that is one tile?
/// Then operations can go to StarPU in batches (tasks/submit.hpp).
inline bool one_worker_has_all(const WorkerCounts& workers, const Tiling& tiling)
{
    return workers.all() == 1 && (workers.cpu == 0 || workers.cores_per_cpu > 1) &&
           tiling.tile_count() == 1;
}

/// Most iterations of a task where GPUs have the whole lattice, and a task of its own for every
/// kernel would show: as many as take a millisecond or so. Several GPUs have to begin a task
/// together, which costs 70 us more than going on (docs/notes/several-gpus.md).
int batch_for(const Extents& lattice, int gpus = 1);

/// The same where one CPU worker of several cores has the whole lattice: as many as took 10 to 35
/// ms on two cores.
int batch_for_cores(const Extents& lattice, int cores);

/// Number of tiles per direction where nobody says, for at least one worker.
Extents default_tiles(const Extents& lattice, const Machine&, std::size_t real_bytes);

/// Do CPU workers exchange faces and sums themselves, where nobody says? If they have a core and a
/// tile each, no scheduler is asked for, and tasks of one iteration would be short.
bool cores_link(const Machine&, const Tiling&);

/// During its life tiles may have their workers (assign_tiles).
class TileOwners
{
public:
    /// A tile each, if there are as many tiles as workers, all GPUs or all on cores, and nobody
    /// asked for a scheduler, which then had nothing to choose. `linked`: as in assign_tiles.
    TileOwners(const Machine&, const Tiling&, bool linked = false);
    explicit TileOwners(const SplitLayout& layout) { assign_tiles(layout.workers); }
    ~TileOwners() { assign_tiles({}); }
    TileOwners(const TileOwners&) = delete;
    TileOwners& operator=(const TileOwners&) = delete;
};

/// Throws DeviceError if a device can hold neither its share of all `bytes` nor the data of the
/// tasks it needs at the same time: StarPU would wait for memory for ever. share: of the device
/// that has most; 0: they are spread evenly.
void require_device_memory(const Machine&, const Tiling&, Precision, LinkStorage, std::size_t bytes,
                           double share = 0);

class Placement
{
public:
    /// Tiles as asked for, else as default_tiles() says, cut further where a GPU cannot hold the
    /// lattice. Throws as require_device_memory() does.
    Placement(const cli::SolveOptions&, const Extents& lattice, const Machine&);
    /// As --split chose. Throws as above.
    Placement(const cli::SolveOptions&, const Extents& lattice, const Machine&, const SplitLayout&);

    const Tiling& tiling() const { return tiling_; }
    /// For SolveControl.
    int batch() const { return batch_; }
    /// Is --batch for these workers and tiles?
    bool takes_batches() const { return takes_batches_; }
    /// Would several iterations be a task, if they were not traced?
    bool operations_apart() const { return operations_apart_; }

private:
    Tiling tiling_;
    TileOwners owners_;
    int batch_ = 1;
    bool takes_batches_ = false;
    bool operations_apart_ = false;
};

} // namespace qcd

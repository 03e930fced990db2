#include "drivers/plan/default_tiles.hpp"

#include "runtime/machine_model.hpp"
#include "tasks/tiling.hpp"

#include <algorithm>
#include <cmath>

namespace qcd
{

namespace
{

/// Spinors of three time slices of a tile: what a hop keeps in cache between t-1 and t+1.
double three_slices(const Extents& l, int tiles_z, std::size_t real_bytes)
{
    return 3.0 * l[0] * l[1] * thickest(l[2], tiles_z) / 2 * 24 * double(real_bytes);
}

/// Tiles that the busiest worker has.
int rounds(int tiles, int workers) { return (tiles + workers - 1) / workers; }

constexpr double mixed_rows = 1.2;

/// Time of a hop in units of one worker's even share: rounds of the thickest tile, with a tenth of
/// a layer's work for each face, and lanes without sites where parts have too few halvings.
double hop_cost(const Extents& l, int tiles_z, int tiles_t, int workers)
{
    const Tiling tiling(l, {1, 1, tiles_z, tiles_t});
    if (!tiling.kernels_can_index()) return HUGE_VAL;
    double padding = double(tiling.padded_sites()) * 2 / double(volume(l));
    if (tiling.shape(0).other_rows) padding *= mixed_rows; // then hops compute terms in x twice
    const int z = thickest(l[2], tiles_z), t = thickest(l[3], tiles_t);
    const double faces = (tiles_z > 1 ? 0.2 / z : 0) + (tiles_t > 1 ? 0.2 / t : 0);
    return rounds(tiles_z * tiles_t, workers) * double(z) * t * (1 + faces) * padding * workers /
           (double(l[2]) * l[3]);
}

/// Seconds of an iteration of CR that a core spends on a site, by the bytes of a real, and that a
/// worker spends on a task or waits where all meet: of two cores (docs/measurements.md, "Plans on
/// cores").
constexpr double seconds_a_site_and_byte = 14e-9;
constexpr double seconds_a_task = 5e-6, seconds_a_meeting = 15e-6;
/// An iteration has two hops with faces, an update, and two merges of sums with their scalars.
constexpr int tasks_a_tile = 5, meetings = 4;

/// What an iteration costs, in the same units.
double graph_cost(const Extents& l, int tiles_z, int tiles_t, int workers, std::size_t real_bytes)
{
    const double share = double(volume(l)) / workers * double(real_bytes) * seconds_a_site_and_byte;
    const double tasks = tasks_a_tile * seconds_a_task * rounds(tiles_z * tiles_t, workers);
    return hop_cost(l, tiles_z, tiles_t, workers) + (tasks + meetings * seconds_a_meeting) / share;
}

} // namespace

Extents slabs_for_devices(const Extents& lattice, int devices)
{
    Extents slabs = {1, 1, 1, std::min(devices, lattice[3] / 2)};
    while (!Tiling(lattice, slabs).kernels_can_index() && slabs[3] + devices <= lattice[3] / 2)
        slabs[3] += devices;
    return slabs;
}

int slabs_each_on_ranks(const Extents& share_of_a_rank, int devices)
{
    // Measured with two ranks of one H100 each: docs/cluster.md, "What to expect".
    constexpr long least_sites = 1L << 18;
    constexpr int most = 4, least_slices = 8;
    int each = 1;
    while (2 * each <= most && share_of_a_rank[3] / (2 * each * devices) >= least_slices &&
           volume(share_of_a_rank) / (2 * each * devices) >= least_sites)
        each *= 2;
    return each;
}

Extents tiles_for_cores(const Extents& lattice, int workers, int least_each, double cache_bytes,
                        std::size_t real_bytes)
{
    const double cache = cache_bytes / workers;
    Extents best = {1, 1, 1, 1};
    double best_cost = HUGE_VAL;
    for (int least = least_each; best_cost == HUGE_VAL && least > 0; --least)
        for (int z = 1; z <= std::min(lattice[2] / 2, 4 * workers); ++z)
            for (int t = 1; t <= std::min(lattice[3] / 2, 4 * workers); ++t) {
                if (z * t < least * workers) continue;
                const bool cached = three_slices(lattice, z, real_bytes) <= cache;
                const double cost =
                    graph_cost(lattice, z, t, workers, real_bytes) * (cached ? 1 : 1.5);
                if (cost < best_cost * 0.999) {
                    best_cost = cost;
                    best = {1, 1, z, t};
                }
            }
    return best;
}

Extents tiles_of_units(const Extents& lattice, const Extents& most, const Extents& unit)
{
    Extents tiles = most;
    for (int mu = 0; mu < 4; ++mu)
        while (tiles[mu] > 1 &&
               (lattice[mu] % tiles[mu] != 0 || lattice[mu] / tiles[mu] % unit[mu] != 0 ||
                lattice[mu] / tiles[mu] % tile_granularity != 0))
            --tiles[mu];
    return tiles;
}

double graph_over_batch(const Extents& lattice, int cores, std::size_t real_bytes)
{
    const double cache = double(MachineModel::of_this_machine().cache_a_core) * cores;
    const Extents tiles = tiles_for_cores(lattice, cores, 2, cache, real_bytes);
    return graph_cost(lattice, tiles[2], tiles[3], cores, real_bytes) / hop_cost(lattice, 1, 1, 1);
}

} // namespace qcd

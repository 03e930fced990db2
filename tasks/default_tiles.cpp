#include "tasks/default_tiles.hpp"

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

/// Time of a hop in units of one worker's even share: rounds of the thickest tile, with a tenth of
/// a layer's work for each face, and lanes without sites where parts have too few halvings.
double hop_cost(const Extents& l, int tiles_z, int tiles_t, int workers)
{
    const Tiling tiling(l, {1, 1, tiles_z, tiles_t});
    if (!tiling.kernels_can_index()) return HUGE_VAL;
    const double padding = double(tiling.padded_sites()) * 2 / double(volume(l));
    const int z = thickest(l[2], tiles_z), t = thickest(l[3], tiles_t);
    const double faces = (tiles_z > 1 ? 0.2 / z : 0) + (tiles_t > 1 ? 0.2 / t : 0);
    return rounds(tiles_z * tiles_t, workers) * double(z) * t * (1 + faces) * padding * workers /
           (double(l[2]) * l[3]);
}

/// The cheapest of all cuts in z and t, where a tile costs the work on so many sites more unless
/// each worker has one.
Extents cheapest_tiles(const Extents& lattice, int workers, double cache_bytes,
                       std::size_t real_bytes, double sites_for_tasks)
{
    const double cache = cache_bytes / workers, share = double(volume(lattice)) / workers;
    Extents best = {1, 1, 1, 1};
    double best_cost = 1e300;
    for (int z = 1; z <= std::min(lattice[2] / 2, 4 * workers); ++z)
        for (int t = 1; t <= std::min(lattice[3] / 2, 4 * workers); ++t) {
            const bool cached = three_slices(lattice, z, real_bytes) <= cache;
            double cost = hop_cost(lattice, z, t, workers) * (cached ? 1 : 1.5);
            if (z * t != workers) cost += rounds(z * t, workers) * sites_for_tasks / share;
            if (cost < best_cost * 0.999) {
                best_cost = cost;
                best = {1, 1, z, t};
            }
        }
    return best;
}

} // namespace

Extents slabs_for_devices(const Extents& lattice, int devices)
{
    Extents slabs = {1, 1, 1, std::min(devices, lattice[3] / 2)};
    while (!Tiling(lattice, slabs).kernels_can_index() && slabs[3] + devices <= lattice[3] / 2)
        slabs[3] += devices;
    return slabs;
}

Extents tiles_for_cores(const Extents& lattice, int workers, double cache_bytes,
                        std::size_t real_bytes)
{
    return cheapest_tiles(lattice, workers, cache_bytes, real_bytes, 0);
}

Extents tiles_for_linked_cores(const Extents& lattice, int workers, double cache_bytes,
                               std::size_t real_bytes)
{
    // 50 to 230 us an iteration of CR, in which a core does 300 to 1400 sites
    // (docs/notes/ideas-cores.md).
    return cheapest_tiles(lattice, workers, cache_bytes, real_bytes, 800);
}

} // namespace qcd

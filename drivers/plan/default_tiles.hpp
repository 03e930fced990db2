#pragma once
// Tilings that suit the workers of a run, and what they cost.

#include "lattice/extents.hpp"

#include <cstddef>

namespace qcd
{

/// Number of tiles per direction for devices alone: slabs in t, one each, or as many more each as
/// kernels need to number a slab's sites (Tiling::kernels_can_index).
Extents slabs_for_devices(const Extents& lattice, int devices);

/// How many of these each device of several ranks has: inner ones are computed while the faces of
/// outer ones travel, where a tile is large enough to hide more than a few tasks take.
int slabs_each_on_ranks(const Extents& share_of_a_rank, int devices);

/// Number of tiles per direction for workers on cores, and devices beside them: as many in z and t
/// as give all equal shares with few faces, few lanes without sites, and three time slices of a
/// tile within a worker's share of a cache of so many bytes; at least so many tiles for each worker
/// where the lattice can be cut so.
Extents tiles_for_cores(const Extents& lattice, int workers, int least_each, double cache_bytes,
                        std::size_t real_bytes);

/// At most so many tiles, which are equal and consist of whole units (of sites, per direction).
Extents tiles_of_units(const Extents& lattice, const Extents& most, const Extents& unit);

/// Predicted time of an iteration as a graph of two or more tiles for each of so many workers of
/// one core, over that of one worker of them all that has the lattice as one tile (plan batch).
double graph_over_batch(const Extents& lattice, int cores, std::size_t real_bytes);

} // namespace qcd

#pragma once
// Tilings that suit the workers of a run.

#include "lattice/extents.hpp"

#include <cstddef>

namespace qcd
{

/// Number of tiles per direction for devices alone: slabs in t, one each, or as many more each as
/// kernels need to number a slab's sites (Tiling::kernels_can_index).
Extents slabs_for_devices(const Extents& lattice, int devices);

/// Number of tiles per direction for workers on cores, and devices beside them: as many in z and t
/// as give all equal shares with few faces, few lanes without sites, and three time slices of a
/// tile within a worker's share of a cache of so many bytes.
Extents tiles_for_cores(const Extents& lattice, int workers, double cache_bytes,
                        std::size_t real_bytes);

/// The same for workers on cores that exchange faces and sums themselves if they have a tile each
/// (tasks/linked_workers.hpp): one each, unless empty lanes and unequal shares cost more than the
/// tasks that StarPU needs otherwise.
Extents tiles_for_linked_cores(const Extents& lattice, int workers, double cache_bytes,
                               std::size_t real_bytes);

} // namespace qcd

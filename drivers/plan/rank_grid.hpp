#pragma once
// How several ranks share a lattice.

#include "lattice/extents.hpp"

#include <array>
#include <optional>
#include <vector>

namespace qcd
{

/// The number of ranks in each direction: as many as go into t, then into z, then into y; x is not
/// cut. Where tiles are asked for, each rank has as many of them in a direction as any other.
/// Throws Error where that cannot be.
Extents rank_grid(const Extents& lattice, int ranks, const std::optional<Extents>& tiles);

/// The thickest part of the lattice that a rank of such a grid has.
Extents thickest_share(const Extents& lattice, const Extents& grid);

/// The tiles' thicknesses where each rank cuts its part into so many, or, where its part is too
/// thin in a direction, each into fewer.
std::array<std::vector<int>, 4> thickness_of_ranks(const Extents& lattice, const Extents& grid,
                                                   const Extents& tiles_of_rank);

} // namespace qcd

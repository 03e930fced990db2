#pragma once

#include "lattice/extents.hpp"

#include <cstdint>
#include <vector>

namespace qcd
{

/// What a hierarchy (solver/multigrid.hpp) is made by.
struct MultigridParameters {
    /// Aggregates of each level but the coarsest; empty: default_multigrid_blocks().
    std::vector<Extents> blocks{};
    int vectors = 24;              ///< of a level: 6, 12, 24 or 48
    int first_iterations = 24;     ///< of the smoother, on random numbers
    int refinements = 3;           ///< cycles on each test vector
    int smoothing = 8;             ///< iterations of the smoother in a cycle
    int cycle_iterations = 4;      ///< at most, of GCR on levels between the finest and coarsest
    int coarse_iterations = 64;    ///< at most, of GCR on the coarsest level
    double coarse_tolerance = 0.1; ///< |r| on a coarse level relative to the first
    std::uint64_t seed = 1;        ///< of the random numbers
    /// Iterations of the GCR that it is for, to a tolerance, after which it is given up: with levels
    /// that are of use it takes some tens.
    int most_outer_iterations = 200;
    bool operator==(const MultigridParameters&) const = default;
};

/// 4 sites in each direction, or where 4 does not divide it 6, 2 or 3; where all extents are 16 or
/// more the coarse sites in 2 again, or 3. It does not depend on tiles.
std::vector<Extents> default_multigrid_blocks(const Extents& lattice);

/// Sites that a tile has whole numbers of: the product of the blocks.
Extents multigrid_unit(const MultigridParameters&, const Extents& lattice);

} // namespace qcd

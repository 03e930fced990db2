#pragma once

#include "lattice/extents.hpp"

#include <cstdint>
#include <vector>

namespace qcd
{

/// What a hierarchy (solver/multigrid.hpp) is made by.
struct MultigridParameters {
    std::vector<Extents> blocks{{4, 4, 4, 4}}; ///< aggregates of each level but the coarsest
    int vectors = 24;                          ///< of a level: 6, 12, 24 or 48
    int first_iterations = 24;                 ///< of the smoother, on random numbers
    int refinements = 2;                       ///< cycles on each test vector
    int smoothing = 4;                         ///< iterations of the smoother in a cycle
    int coarse_iterations = 64;                ///< at most, of GCR on a coarse level
    double coarse_tolerance = 0.1;             ///< |r| there relative to the first
    std::uint64_t seed = 1;                    ///< of the random numbers
};

} // namespace qcd

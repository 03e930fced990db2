#pragma once

#include "lattice/extents.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace qcd
{

/// What a cycle does on a level.
struct LevelWork {
    int iterations = 0; ///< of GCR: of the outer one, and on coarse levels each time
    double factor = 0;  ///< by which each of them changes |r|, the geometric mean
    double share = 0;   ///< of a cycle's time
};

/// What was made, and what it took.
struct MultigridReport {
    struct OfLevel {
        Extents lattice;    ///< its sites
        int components = 0; ///< complex ones of a site
        std::optional<Extents>
            blocks;            ///< that are sites of the next level; none: it is the coarsest
        std::size_t bytes = 0; ///< of P to the next level and of its own matrices
        std::optional<LevelWork> work{}; ///< none: not measured
    };
    std::vector<OfLevel> levels; ///< the finest first
    int vectors = 0, first_iterations = 0, refinements = 0, cycle_iterations = 0,
        coarse_iterations = 0; ///< MultigridParameters
    double coarse_tolerance = 0;
    double seconds = 0; ///< of the set-up
};

} // namespace qcd

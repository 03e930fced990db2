#pragma once
// How the levels of multigrid are made. Test vectors begin as random numbers to which the smoother is
// applied, and are refined by cycles with what they have made so far: v = M v, inverse iteration. On
// each level they are cut into aggregates (blocks of sites) and chiralities and made orthonormal
// there: the columns of P. Those of a coarse level are P^dagger of the finer one's.

#include "solver/multigrid_cycle.hpp"
#include "solver/test_vectors.hpp"

namespace qcd
{

/// Makes the levels; done when this returns. They are on the tiling of the graph, which may have any
/// number of right-hand sides: so many test vectors are made at once, and the bits are the same.
/// vectors null: none are kept.
void make_levels(MultigridLevels&, LatticeGraph&, const GaugeField&, const CloverField*,
                 const DiracParameters&, const MultigridParameters&,
                 TestVectors* vectors = nullptr);

/// Bytes that are registered meanwhile, besides the levels.
std::size_t bytes_to_make_levels(const Tiling&, Precision, const MultigridParameters&, int rhs);

} // namespace qcd

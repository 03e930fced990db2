#pragma once

#include "codelets/multigrid/restrict/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// P^dagger in on one tile of a level: for each aggregate X, chirality c and basis vector V_k the sum
/// of conj(V_k) in over the sites and components of X in c. Each of 32 lanes is summed up, block by
/// block and component by component, and these by halves: lanes l and l + 16, then l + 8, 4, 2, 1.
///   [out]   W   field of the coarse level, where `to` says; updated() where that is not all of it
///   [basis] R   n fields of the level, one behind the other
///   [in]    R   field of the level
///   [gate]  R   solve_scalars, optional: when it is closed nothing is written
/// face: -1: all sites; 2 mu or 2 mu + 1: those at the lower or upper end of their aggregate in mu.
/// Cost per lane: 96 n flops; n + 1 spinors.
const Codelet& restrict_codelet(Precision);

} // namespace qcd

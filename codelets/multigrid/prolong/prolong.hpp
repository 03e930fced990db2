#pragma once

#include "codelets/multigrid/prolong/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// out = P e on one tile of a level: at a site of aggregate X and in chirality c, the sum over the n
/// basis vectors V_k of V_k e(X, c, k), k ascending.
///   [out]    W  field of the level; updated() where there is a gate
///   [basis]  R  n fields of the level, one behind the other
///   [coarse] R  e, field of the coarse level; absent: right-hand side r has the unit vector of
///               component column + r at all sites, or 0 from component 2n on. Components are
///               numbered as columns of coarse matrices (coarse_hop/coarse_hop.hpp).
///   [gate]   R  solve_scalars, optional: when it is closed nothing is written
/// Cost per lane: 96 n flops; n + 1 spinors.
const Codelet& prolong_codelet(Precision);

/// Operation::flops.
inline double prolong_flops(const void* args, unsigned)
{
    const auto& a = *static_cast<const prolong_args*>(args);
    return 32.0 * 96 * a.vectors * a.blocks;
}

} // namespace qcd

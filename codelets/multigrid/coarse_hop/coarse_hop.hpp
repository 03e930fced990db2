#pragma once

#include "codelets/multigrid/coarse_hop/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// The operator of a coarse level on one tile: out(x) = sum over d of M_d(x) in(x + d), or u - that.
/// d: forward in x, y, z, t, backward in these, then x itself. Products M_d in are summed up column
/// by column from 0, and these by d.
///   [out]      W   field of the level; updated() where there is a gate
///   [matrices] R   of each block of the level's fields, of each d, the 2n columns of the M_d of its
///                  sites, each stored as a block of a field is. Column j multiplies component
///                  j / lanes of lane j % lanes of a site.
///   [in]       R   field of the level
///   [ahead mu] [behind mu]  R  the same of the tile there; absent where that is the tile itself,
///                  behind also where it is the one ahead
///   [u]        R   field; optional
///   [gate]     R   solve_scalars, optional: when it is closed nothing is written
/// terms: all; those within an aggregate (d across its ends left out); or QCD_ACROSS + d: only that
/// of d, and only across the ends of aggregates. whole[mu]: the lattice has one aggregate in mu, so
/// nothing is across. out is no tile of in.
/// Cost per lane: 1728 n flops; 18 n + 2 spinors.
const Codelet& coarse_hop_codelet(Precision);

} // namespace qcd

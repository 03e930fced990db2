#pragma once

#include "codelets/gauge/link_args.h"
#include "codelets/variants.hpp"

namespace qcd
{

using link_heatbath_args = link_update_args;

/// Flops of a link: 12 products of matrices (198 each) and 6 sums of them, a product with the link,
/// three times two rows of two matrices, and about 200 a random element.
inline constexpr int link_heatbath_flops = 12 * 198 + 6 * 18 + 198 + 3 * (2 * 2 * 3 * 14 + 200);

/// New links U_mu(x) at the sites x of one parity of a tile: their SU(2) subgroups in rows 0 and 1,
/// 0 and 2, 1 and 2 in turn by heat bath (Cabibbo and Marinari 1982) of the action
/// -beta/3 sum of Re tr of all plaquettes, by Kennedy and Pendleton (heatbath.h).
///   [own]           RW  U_mu at the tile's sites of the own parity
///   [same k]        R   U_nu at these sites, nu the k-th direction besides mu
///   [other nu]      R   U_nu at the tile's sites of the other parity
///   The slots from here on are of other tiles, and absent where the tile itself is there:
///   [ahead_same k]   R  U_nu at sites of the own parity, of the tile ahead in mu
///   [ahead_other k]  R  of the other parity
///   [beside k]       R  U_mu of the other parity, of the tile ahead in nu
///   [behind_same k]  R  U_nu of the own parity, of the tile behind in nu
///   [behind_other k] R  U_nu of the other parity
///   [behind k]       R  U_mu of the other parity; absent, too, where that is the tile ahead in nu
///   [diagonal k]     R  U_nu of the own parity, of the tile ahead in mu and behind in nu
///   [counts]        RW  link_counts, added to
/// Links are of 18 reals in double, in the layout of codelets/device/shape.h; all tiles have one shape.
/// Random numbers are functions of seed, sweep, site, direction, subgroup, use and trial.
const Codelet& link_heatbath_codelet();

} // namespace qcd

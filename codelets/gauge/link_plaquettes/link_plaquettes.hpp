#pragma once

#include "codelets/gauge/link_plaquettes/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// Flops of a site: six times two products of matrices and a trace, and four sums.
inline constexpr int link_plaquettes_flops = 6 * (2 * 198 + 35) + 4;

/// Sums of Re tr U_mu(x) U_nu(x+mu) U_mu(x+nu)^dagger U_nu(x)^dagger over the sites x of one parity of
/// a tile: over the planes of space (accumulator 0 as QCD_SUM_*), and over those with t (1).
///   [same mu]        R  U_mu at the tile's sites of this parity
///   [other mu]       R  U_mu at its sites of the other parity
///   [ahead 3 mu + k] R  U_nu of the other parity, of the tile ahead in mu, nu the k-th direction
///                       besides mu; absent where that is the tile itself
///   [sums]           W  5 exact accumulators
/// Links as in link_heatbath.hpp. A site's two sums are added up in a fixed order, xy, xz, yz and xt,
/// yt, zt, and those of sites exactly.
const Codelet& link_plaquettes_codelet();

} // namespace qcd

#pragma once
// The wave equation u_tt = c^2 (u_xx + u_yy + u_zz) on a periodic box: a stencil of 13 points, of
// fourth order in space, leapfrog, of second order in time. How near does it come to a copy?

#include "runtime/codelet.hpp"
#include "studies/wave/args.h"

namespace qcd
{

/// before <- 2 u - before + (c dt / h)^2 L u: one step later than u.
///   [u]       R   n[0] n[1] n[2] reals
///   [faces]   R   two layers each of the parts around; absent in a direction that is not cut
///   [before]  RW  as u, one step earlier
/// Cost per cell: 19 flop (13 additions, 5 fma counted as one, a product), 24 bytes.
const Codelet& wave_plain_codelet();  ///< a cell at a time
const Codelet& wave_vector_codelet(); ///< several

/// to <- from, of as many cells: the yardstick.
///   [from] R, [to] W
const Codelet& wave_copy_codelet();

} // namespace qcd

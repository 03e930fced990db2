#pragma once

#include "codelets/gauge/polyakov_lines/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// Flops of a link: a product of matrices.
inline constexpr int polyakov_lines_flops = 198;

/// Products of the links t along t, of each line (x, y, z) through a tile, one link after the other
/// from t = 0 on: the same bits however the lattice is cut.
///   [lines]        RW  of 32 lines each 18 reals a line, real r of line n at 32 r + n; set to the
///                      tile's product where it begins at t = 0, else multiplied by it
///   [links parity] R   U_t at the tile's sites of this parity
///   [sums]         W   5 exact accumulators, of Re tr (0) and Im tr (1) of the lines; absent where the
///                      lattice goes on in t
/// Lines of a tile are numbered x fastest. Links as in link_heatbath.hpp.
const Codelet& polyakov_lines_codelet();

} // namespace qcd

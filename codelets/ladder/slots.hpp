#pragma once
// What the slots of the ladder's operations hold.

#include "codelets/slots.hpp"

namespace qcd::slot
{

/// A time slice of a neighbouring tile.
inline constexpr Slot ladder_slice{.holds = "spinors of a time slice"};
/// Where they are written out: none.
inline constexpr Slot ladder_spin_matrices{.holds = "spin matrices"};
inline constexpr Slot ladder_neighbours{.holds = "numbers of sites"};
/// One complex number, or several, in double.
inline constexpr Slot ladder_sums{.holds = "sums"};

} // namespace qcd::slot

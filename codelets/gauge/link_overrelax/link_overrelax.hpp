#pragma once

#include "codelets/gauge/link_args.h"
#include "codelets/variants.hpp"

namespace qcd
{

using link_overrelax_args = link_update_args;

/// Flops of a link: as of heat bath, but 30 an element.
inline constexpr int link_overrelax_flops = 12 * 198 + 6 * 18 + 198 + 3 * (2 * 2 * 3 * 14 + 30);

/// New links U_mu(x) at the sites x of one parity of a tile: in each SU(2) subgroup the element that
/// is farthest from the one before of those that leave the action as it is (Creutz 1987).
///   slots of link_heatbath.hpp, of which [counts] is not used
const Codelet& link_overrelax_codelet();

} // namespace qcd

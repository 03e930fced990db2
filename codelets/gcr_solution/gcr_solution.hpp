#pragma once

#include "codelets/gcr_solution/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// The steps of a cycle of GCR, on one tile: x <- x + sum_k xi_k z_k.
///   [x]        RW  spinor
///   [scalars]  R   gcr_scalars: xi, and how many of them are used; closed gate: x stays
///   [z]        R   up to QCD_MOST_DIRECTIONS spinors z_k; those beyond the used ones are not
///                  looked at
/// Cost per site: 96 flop for each z, 2 spinors and one for each z.
const Codelet& gcr_solution_codelet(Precision);

} // namespace qcd

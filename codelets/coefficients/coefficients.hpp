#pragma once

#include "codelets/coefficients/args.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// The scalars of an iteration (layout.h) from those before it and from sums over the lattice; the
/// formula is chosen by `stage` (site.h has them). All in double, in both precisions.
///   [out]      W (RW without previous)  QCD_COEFFICIENTS doubles
///   [previous] R  QCD_COEFFICIENTS doubles; absent: out itself (QCD_STAGE_START needs none)
///   [sums_a]   R  5 exact accumulators; absent for QCD_STAGE_RESIDUAL, _LAST_STEPS
///   [sums_b]   R  5 exact accumulators; may be absent: then |r|^2 is the previous one
/// In a batch a device's kernel clears sums that it has read where others start next (batch.cpp).
/// Where |r|^2 becomes known it is appended to the residuals of `out`; with `previous` the list
/// begins anew. A closed gate is copied on, with all scalars, whatever the sums, but for
/// QCD_STAGE_LAST_STEPS, which opens it if x lacks steps, and else closes it.
const Codelet& coefficients_codelet();

/// The slots above, for linked_coefficients.
std::vector<Slot> coefficients_table();

} // namespace qcd

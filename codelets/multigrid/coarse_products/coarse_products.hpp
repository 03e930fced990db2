#pragma once

#include "codelets/multigrid/coarse_products/slots.h"
#include "codelets/variants.hpp"

namespace qcd
{

/// What an application of an operator adds to sums (codelets/hopping/hopping.hpp), where it is an
/// operation of its own.
///   [q]    R  field
///   [u]    R  field; absent: q in its place
///   [gate] R  solve_scalars, optional: when it is closed the sums are undefined
///   [sums] W  5 exact accumulators; 2 = |q|^2, 3 4 = (u|q)
/// Cost per lane: 144 flops, 2 spinors.
const Codelet& coarse_products_codelet(Precision);

} // namespace qcd

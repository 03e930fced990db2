#pragma once
// On slabs of nx x ny cells; [sums] has a real for each row, what it is a sum of stands behind it.

#include "runtime/codelet.hpp"
#include "studies/fisher/args.h"

namespace qcd
{

/// r, p <- F(u).
///   [u], [old]         R   this and the last time's field
///   [above], [below]   R   rows of the slabs around; absent at the ends, where there is
///   [edge]             R   nx + 2 reals: the field beside the first column, beside the first and
///                          the last row, beside the last column
///   [r], [p]           W
///   [sums]             W   |r|^2
const Codelet& fisher_residual_codelet();

/// ap <- A p, of `rows` rows from `first` on.
///   [u], [p]           R
///   [above], [below]   R   rows of p; absent: 0
///   [ap], [sums]       W, RW where other rows stay; p ap
/// Cost per cell: 10 flop and 2 of the sum, 24 bytes.
const Codelet& fisher_apply_codelet();
const Codelet& fisher_apply_wide_codelet(); ///< two cells at a time

/// delta <- delta + alpha p, r <- r - alpha ap.
///   [scalars] R, [p] R, [ap] R, [delta] RW, [r] RW, [sums] W  |r|^2
const Codelet& fisher_update_codelet();

/// y <- y + factor alpha x; without scalars y + factor x.
///   [scalars] R, [x] R, [y] RW
const Codelet& fisher_axpy_codelet();
/// y <- x + beta y, the same slots.
const Codelet& fisher_direction_codelet();
/// [r] R, [sums] W  |r|^2
const Codelet& fisher_norm_codelet();

/// A step of CG's scalars by the sums of all slabs (args.h).
///   [scalars] RW, [sums] R  of each slab
const Codelet& fisher_scalars_codelet();

/// A whole solve of A delta = r, of one slab, by one work group.
///   [u] R, [r] RW, [p] RW, [ap] W, [delta] RW, [sums] RW  |r|^2 before, [scalars] RW
const Codelet& fisher_whole_codelet();

} // namespace qcd

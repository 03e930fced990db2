#pragma once

#include "runtime/codelet.hpp"
#include "studies/sandpile/args.h"

namespace qcd
{

/// next <- u after one synchronous sweep.
///   [u]         R  nx ny ints, not negative
///   [faces]     R  of the parts around (Grid::sender); absent where the pile ends
///   [next]      W  nx ny ints; not the memory of u
///   [unstable]  RW 1 int: set to `look` where a cell of next has four grains or more; may be
///   absent
const Codelet& pile_step_codelet();

/// The cells after `sweeps` sweeps, from blocks of 32 x 32 and what surrounds them: cells there are
/// computed by several groups.
///   [u]         R  nx ny ints
///   [ahead]     R  the first `sweeps` rows of the part ahead in y; absent where the pile ends
///   [behind]    R  the last ones of the part behind
///   [next]      W  nx ny ints
///   [unstable]  RW as above
const Codelet& pile_overlap_codelet();

/// u <- u with what neighbours have sent, after at most `sweeps` sweeps of its own, fewer where it
/// is stable; what leaves it is added to what is sent. Grains are never lost between parts,
/// whenever they are taken.
///   [u]       RW  nx ny ints
///   [in]      RW  from the parts around, ny or nx ints each, set to 0; absent where the pile ends
///   [out]     RW  to them
///   [report]  W   pile_report_words ints
const Codelet& pile_avalanche_codelet();

} // namespace qcd

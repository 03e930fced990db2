#include "codelets/multigrid/level_groups.h"
#include "codelets/multigrid/restrict/lanes.h"

QCD_BLOCK_KERNEL(restrict)
{
    __local lane_tree tree;
    const restrict_buffers of_all = {QCD_SLOT_VALUES(restrict)};
    const int rhs = own_rhs();
    const restrict_buffers f = restrict_of_rhs(of_all, rhs);
    if (restrict_closed(f)) return;
    const lane_position at = own_position();
    const chiral_sums s = restrict_lanes(a, f, at.block, rhs, at.w);
    const math up_re = sum_by_halves(&tree, s.up.re), up_im = sum_by_halves(&tree, s.up.im),
               down_re = sum_by_halves(&tree, s.down.re), down_im = sum_by_halves(&tree, s.down.im);
    if (at.w.lane == 0) put_restricted(a, f.out, at.block, rhs, up_re, up_im, down_re, down_im);
}

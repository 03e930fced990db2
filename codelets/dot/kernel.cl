#include "codelets/dot/site.h"
#include "codelets/launch/opencl_sums.h"

#ifdef QCD_WARPS_ADD
#include "codelets/dot/warp.h"
#endif

QCD_SLOT_KERNEL(dot)
{
    const lane_position at = own_position();
    const dot_buffers of_all = {QCD_SLOT_VALUES(dot)};
    const dot_buffers f = dot_buffers_from(of_all, own_rhs() * a.blocks);
    sums = sums_of(sums, own_rhs());
#ifdef QCD_WARPS_ADD
    __local shared_lane_sums shared;
    QCD_GROUPS_FIT(QCD_DOT_GROUPS);
    dot_of_warp(a, f, at.block, (int)get_num_groups(0) * QCD_LANE_SUM_WARPS, (int)get_local_id(0),
                &shared, sums);
#else
    __local group_sums group;
    site_sums s = no_sums();
    if (at.block < a.blocks) s = dot_site(a, f, at.block, at.w);
    add_site_sums(sums, s, dot_which, &group);
#endif
}

#include "codelets/dot/site.h"
#include "codelets/runtime/opencl_sums.h"

QCD_KERNEL dot_kernel(dot_args a, QCD_GLOBAL const real* x, QCD_GLOBAL const real* y,
                      QCD_GLOBAL i64* sums)
{
    __local group_sums group;
    dot_buffers f = {x, y};
    const lane_position at = lane_position_of(get_global_id(0));
    site_sums s = no_sums();
    if (at.block < a.blocks) s = dot_site(a, f, at.block, at.w);
    add_site_sums(sums, s, dot_which, &group);
}

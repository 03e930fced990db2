#include "codelets/dot/site.h"
#include "codelets/runtime/opencl_launch.h"

__kernel void dot_kernel(dot_args a, QCD_GLOBAL const real* x, QCD_GLOBAL const real* y,
                         QCD_GLOBAL i64* sums)
{
    __local i64 group_words[QCD_MAX_SUMS * QCD_SUM_WORDS];
    dot_buffers f = {x, y};
    const lane_position at = lane_position_of(get_global_id(0));
    site_sums s = no_sums();
    if (at.block < a.blocks) s = dot_site(a, f, at.block, at.w);
    add_site_sums(sums, s, dot_which, group_words);
}

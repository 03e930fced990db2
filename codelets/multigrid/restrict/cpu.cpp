#include "codelets/multigrid/level_kernels.hpp"
#include "codelets/multigrid/restrict/lanes.h"

QCD_BEGIN

void restrict_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const restrict_args*>(args);
    for (int unit = share.first(a.blocks); unit < share.end(a.blocks); ++unit)
        for (int rhs = 0; rhs < share.layers; ++rhs) {
            const auto f = restrict_of_rhs(buffers_of<restrict_buffers>(p), rhs);
            if (restrict_closed(f)) continue;
            LaneTree up_re, up_im, down_re, down_im;
            for_each_group([&](lanes w) {
                const chiral_sums s = restrict_lanes(a, f, unit, rhs, w);
                up_re.set(w, s.up.re);
                up_im.set(w, s.up.im);
                down_re.set(w, s.down.re);
                down_im.set(w, s.down.im);
            });
            put_restricted(a, f.out, unit, rhs, up_re.sum(), up_im.sum(), down_re.sum(),
                           down_im.sum());
        }
}

QCD_END

#include "codelets/gauge/link_kernels.hpp"
#include "codelets/gauge/polyakov_lines/site.h"

QCD_BEGIN

void polyakov_lines_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const polyakov_lines_args*>(args);
    const auto f = buffers_of<polyakov_lines_buffers>(p);
    static_assert(8 % vector_width == 0, "tiles have a multiple of 8 lines");
    TileSums sums(f.sums, share);
    for_each_block(a.blocks, share, [&](int block, lanes w) {
        if (block * QCD_LANES + w.first >= lines_of(a)) return;
        const site_sums s = polyakov_lines_site(a, f, block, w.first);
        if (f.sums) sums.add(s, polyakov_lines_which);
    });
}

QCD_END

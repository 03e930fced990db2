#include "codelets/gauge/link_kernels.hpp"
#include "codelets/gauge/link_plaquettes/site.h"

QCD_BEGIN

void link_plaquettes_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const link_plaquettes_args*>(args);
    const auto f = buffers_of<link_plaquettes_buffers>(p);
    TileSums sums(f.sums, share);
    for_each_link_register(a.shape, share, [&](int block, block_place place, lanes w) {
        sums.add(link_plaquettes_site(a, f, block, place, w), link_plaquettes_which);
    });
}

QCD_END

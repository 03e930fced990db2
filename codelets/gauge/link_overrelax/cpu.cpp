#include "codelets/gauge/link_kernels.hpp"

QCD_BEGIN

void link_overrelax_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const link_update_args*>(args);
    const auto f = buffers_of<link_update_buffers>(p);
    for_each_link_register(a.shape, share, [&](int block, block_place place, lanes w) {
        link_overrelax_site(a, f, block, place, w);
    });
}

QCD_END

#include "codelets/chiral_scale/site.h"
#include "codelets/runtime/cpu_launch.hpp"

QCD_BEGIN

void chiral_scale_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const chiral_scale_args*>(args);
    const auto f = buffers_of<chiral_scale_buffers>(p);
    for_each_block(a.blocks, share, [&](int block, lanes w) { chiral_scale_site(a, f, block, w); });
}

QCD_END

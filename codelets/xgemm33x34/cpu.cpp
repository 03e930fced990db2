#include "codelets/runtime/cpu_launch.hpp"
#include "codelets/xgemm33x34/site.h"

QCD_BEGIN

void xgemm33x34_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const xgemm33x34_args*>(args);
    const auto f = buffers_of<xgemm33x34_buffers>(p);
    for_each_block(a.blocks, share, [&](int block, lanes w) { xgemm33x34_site(a, f, block, w); });
}

QCD_END

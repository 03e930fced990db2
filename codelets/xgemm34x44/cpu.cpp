#include "codelets/runtime/cpu_launch.hpp"
#include "codelets/xgemm34x44/site.h"

QCD_BEGIN

void xgemm34x44_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const xgemm34x44_args*>(args);
    const auto f = buffers_of<xgemm34x44_buffers>(p);
    for_each_block(a.blocks, share, [&](int block, lanes w) { xgemm34x44_site(a, f, block, w); });
}

QCD_END

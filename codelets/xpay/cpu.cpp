#include "codelets/runtime/cpu_launch.hpp"
#include "codelets/xpay/site.h"

QCD_BEGIN

void xpay_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const xpay_args*>(args);
    const auto f = buffers_of<xpay_buffers>(p);
    if (gate_closed(f.coefficients)) return;
    for_each_block(a.blocks, share, [&](int block, lanes w) { xpay_site(a, f, block, w); });
}

QCD_END

#include "codelets/runtime/cpu_launch.hpp"
#include "codelets/xpay/site.h"

QCD_BEGIN

void xpay_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const xpay_args*>(args);
    if (gate_closed(buffer<const double>(p, xpay_coefficients))) return;
    const xpay_buffers f = {buffer<const real>(p, xpay_x), buffer<real>(p, xpay_y),
                            buffer<const double>(p, xpay_coefficients)};
    for_each_block(a.blocks, share, [&](int block, lanes w) { xpay_site(a, f, block, w); });
}

QCD_END

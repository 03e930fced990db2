#include "codelets/runtime/cpu_launch.hpp"
#include "codelets/xgemm34x44/site.h"

QCD_BEGIN

void xgemm34x44_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const xgemm34x44_args*>(args);
    const xgemm34x44_buffers f = {buffer<real>(p, xgemm34x44_out),
                                  buffer<const real>(p, xgemm34x44_psi)};
    for_each_block(a.blocks, share, [&](int block, lanes w) { xgemm34x44_site(a, f, block, w); });
}

QCD_END

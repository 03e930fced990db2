#include "codelets/bicgstab_residual/site.h"
#include "codelets/runtime/cpu_launch.hpp"

QCD_BEGIN

void bicgstab_residual_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const bicgstab_residual_args*>(args);
    const auto f = buffers_of<bicgstab_residual_buffers>(p);
    if (gate_closed(f.coefficients)) return;
    TileSums sums(buffer<i64>(p, bicgstab_residual_sums), share);
    for_each_block(a.blocks, share, [&](int block, lanes w) {
        sums.add(bicgstab_residual_site(a, f, block, w), (QCD_SUM_V_OUT | QCD_SUM_OUT_OUT));
    });
}

QCD_END

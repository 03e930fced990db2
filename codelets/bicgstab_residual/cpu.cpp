#include "codelets/bicgstab_residual/site.h"
#include "codelets/runtime/cpu_launch.hpp"

QCD_BEGIN

void bicgstab_residual_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const bicgstab_residual_args*>(args);
    if (gate_closed(buffer<const double>(p, bicgstab_residual_coefficients))) return;
    const bicgstab_residual_buffers f = {buffer<real>(p, bicgstab_residual_r),
                                         buffer<const real>(p, bicgstab_residual_v),
                                         buffer<const real>(p, bicgstab_residual_shadow),
                                         buffer<const double>(p, bicgstab_residual_coefficients)};
    TileSums sums(buffer<i64>(p, bicgstab_residual_sums), false, share);
    for_each_block(a.blocks, share, [&](int block, lanes w) {
        sums.add(bicgstab_residual_site(a, f, block, w), (QCD_SUM_V_OUT | QCD_SUM_OUT_OUT));
    });
}

QCD_END

#include "codelets/bicgstab_update/site.h"
#include "codelets/runtime/cpu_launch.hpp"

QCD_BEGIN

void bicgstab_update_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const bicgstab_update_args*>(args);
    if (gate_closed(buffer<const double>(p, bicgstab_update_coefficients))) return;
    const bicgstab_update_buffers f = {buffer<real>(p, bicgstab_update_x),
                                       buffer<real>(p, bicgstab_update_r),
                                       buffer<real>(p, bicgstab_update_p),
                                       buffer<const real>(p, bicgstab_update_v),
                                       buffer<const real>(p, bicgstab_update_t),
                                       buffer<const double>(p, bicgstab_update_coefficients)};
    TileSums sums(buffer<i64>(p, bicgstab_update_sums), false, share);
    for_each_block(a.blocks, share, [&](int block, lanes w) {
        sums.add(bicgstab_update_site(a, f, block, w), QCD_SUM_OUT_OUT);
    });
}

QCD_END

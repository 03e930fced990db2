#include "codelets/bicgstab_update/site.h"
#include "codelets/runtime/cpu_launch.hpp"

QCD_BEGIN

void bicgstab_update_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const bicgstab_update_args*>(args);
    const auto f = buffers_of<bicgstab_update_buffers>(p);
    if (gate_closed(f.coefficients)) return;
    TileSums sums(buffer<i64>(p, bicgstab_update_sums), share);
    for_each_block(a.blocks, share, [&](int block, lanes w) {
        sums.add(bicgstab_update_site(a, f, block, w), QCD_SUM_OUT_OUT);
    });
}

QCD_END

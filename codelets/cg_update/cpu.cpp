#include "codelets/cg_update/site.h"
#include "codelets/runtime/cpu_launch.hpp"

QCD_BEGIN

void cg_update_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const cg_update_args*>(args);
    if (gate_closed(buffer<const double>(p, cg_update_coefficients))) return;
    const cg_update_buffers f = {buffer<real>(p, cg_update_x), buffer<real>(p, cg_update_r),
                                 buffer<const real>(p, cg_update_p),
                                 buffer<const real>(p, cg_update_q),
                                 buffer<const double>(p, cg_update_coefficients)};
    TileSums sums(buffer<i64>(p, cg_update_sums), false, share);
    for_each_block(a.blocks, share, [&](int block, lanes w) {
        sums.add(cg_update_site(a, f, block, w), QCD_SUM_OUT_OUT);
    });
}

QCD_END

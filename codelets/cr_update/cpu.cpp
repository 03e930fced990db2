#include "codelets/cr_update/site.h"
#include "codelets/runtime/cpu_launch.hpp"

QCD_BEGIN

void cr_update_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const cr_update_args*>(args);
    const auto f = buffers_of<cr_update_buffers>(p);
    if (gate_closed(f.coefficients)) return;
    TileSums sums(buffer<i64>(p, cr_update_sums), share);
    for_each_block(a.blocks, share, [&](int block, lanes w) {
        sums.add(cr_update_site(a, f, block, w), QCD_SUM_OUT_OUT);
    });
}

QCD_END

#include "codelets/hopping/site.h"
#include "codelets/runtime/opencl_launch.h"

__kernel void hopping_kernel(hopping_args a, QCD_GLOBAL real* out, QCD_GLOBAL const real* psi,
                             QCD_GLOBAL const real* links, QCD_GLOBAL const real* links_other,
                             QCD_GLOBAL const real* v, QCD_GLOBAL const real* u,
                             QCD_GLOBAL i64* sums, QCD_GLOBAL const double* gate,
                             QCD_GLOBAL const math* xf, QCD_GLOBAL const math* xb,
                             QCD_GLOBAL const math* yf, QCD_GLOBAL const math* yb,
                             QCD_GLOBAL const math* zf, QCD_GLOBAL const math* zb,
                             QCD_GLOBAL const math* tf, QCD_GLOBAL const math* tb)
{
    __local i64 group_words[QCD_MAX_SUMS * QCD_SUM_WORDS];
    if (gate_closed(gate)) return;
    const lane_position at = lane_position_of(get_global_id(0));
    site_sums s = no_sums();
    if (at.block < a.shape.blocks) {
        const block_place place = place_of_block(a.shape, at.block);
        hopping_buffers f = {out, psi, links, links_other, v, u, {xf, xb, yf, yb, zf, zb, tf, tb}};
        if (hopping_has_block(a, place))
            s = hopping_site(a, f, place, at.block, neighbour_blocks(a.shape, place, a.parity),
                             at.w);
    }
    add_site_sums(sums, s, a.sums, group_words);
}

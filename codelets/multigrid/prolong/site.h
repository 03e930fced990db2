#pragma once
// The lanes of one block (contract: prolong.hpp).

#include "codelets/multigrid/level.h"
#include "codelets/multigrid/prolong/slots.h"

QCD_BEGIN

QCD_FN cplx coarse_component(QCD_GLOBAL const real* lane, int component)
{
    return cmake(vset(lane[2 * component * QCD_ROW]), vset(lane[(2 * component + 1) * QCD_ROW]));
}

QCD_FN void prolong_site(prolong_args a, prolong_buffers f, int block, lanes w)
{
    const int rhs = block / a.blocks, own = block % a.blocks;
    QCD_GLOBAL const real* basis = f.basis + spinor_place(own, w);
    const int vector = a.blocks * QCD_LEVEL_BLOCK;
    spinor out = spinor_zero();
    if (f.coarse == 0) {
        const int column = a.column + rhs, component = column / a.coarse.lanes,
                  k = column % a.coarse.lanes * QCD_CHIRAL_COMPONENTS +
                      component % QCD_CHIRAL_COMPONENTS;
        if (column < 2 * a.vectors) {
            const spinor v = load_spinor(basis + k * vector);
            if (component < QCD_CHIRAL_COMPONENTS) {
                out.s0 = v.s0;
                out.s1 = v.s1;
            } else {
                out.s2 = v.s2;
                out.s3 = v.s3;
            }
        }
        store_spinor(f.out + spinor_place(block, w), out);
        return;
    }
    const int first = first_lane_of_aggregate(a.level, a.coarse, own / a.level.blocks_each) +
                      rhs * a.coarse.blocks * QCD_LANES;
    for (int k = 0; k < a.vectors; ++k) {
        QCD_GLOBAL const real* e = f.coarse + place_of_lane(first + k / QCD_CHIRAL_COMPONENTS);
        const cplx up = coarse_component(e, k % QCD_CHIRAL_COMPONENTS),
                   down = coarse_component(e, k % QCD_CHIRAL_COMPONENTS + QCD_CHIRAL_COMPONENTS);
        const spinor v = load_spinor(basis + k * vector);
        out.s0 = colour_fma(up, v.s0, out.s0);
        out.s1 = colour_fma(up, v.s1, out.s1);
        out.s2 = colour_fma(down, v.s2, out.s2);
        out.s3 = colour_fma(down, v.s3, out.s3);
    }
    store_spinor(f.out + spinor_place(block, w), out);
}

QCD_END

QCD_SITE_KERNELS(prolong)

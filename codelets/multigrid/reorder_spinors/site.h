#pragma once
// The lanes of one block (contract: reorder_spinors.hpp).

#include "codelets/multigrid/level.h"
#include "codelets/multigrid/reorder_spinors/slots.h"

QCD_BEGIN

/// One lane's.
QCD_FN void reorder_spinor(reorder_spinors_args a, reorder_spinors_buffers f, int block, int lane)
{
    const int rhs = block / a.blocks, from = f.places[block % a.blocks * QCD_LANES + lane];
    QCD_GLOBAL const real* in = from & 1 ? f.odd : f.even;
    QCD_GLOBAL real* out = f.out + block * QCD_LEVEL_BLOCK + lane_offset(lane, QCD_SPINOR_ROWS);
    if (from < 0 || in == 0) {
        for (int row = 0; row < QCD_SPINOR_ROWS; ++row) out[row * QCD_ROW] = 0;
        return;
    }
    in += rhs * a.blocks_in * QCD_LEVEL_BLOCK + place_of_lane(from >> 1);
    for (int row = 0; row < QCD_SPINOR_ROWS; ++row) out[row * QCD_ROW] = in[row * QCD_ROW];
}

QCD_FN void reorder_spinors_site(reorder_spinors_args a, reorder_spinors_buffers f, int block,
                                 lanes w)
{
#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)
    reorder_spinor(a, f, block, w.lane);
#else
    for (int j = 0; j < vector_width; ++j) reorder_spinor(a, f, block, w.first + j);
#endif
}

QCD_END

QCD_SITE_KERNELS(reorder_spinors)

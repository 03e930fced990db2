#pragma once
// The lanes of one block (contract: widen.hpp).

#include "codelets/device/solve_scalars.h"
#include "codelets/device/wide.h"
#include "codelets/widen/args.h"

QCD_BEGIN

typedef struct {
    QCD_GLOBAL math* out;
    QCD_GLOBAL const real* in;
    QCD_GLOBAL const solve_scalars* gate;
} widen_buffers;

QCD_FN void widen_site(widen_args a, widen_buffers f, int block, lanes w)
{
    store_wide_spinor(f.out + wide_spinor_place(block, w),
                      load_spinor(f.in + spinor_place(block, w)));
}

QCD_END

#pragma once
// The lanes of one block (contract: chiral_scale.hpp).

#include "codelets/chiral_scale/args.h"
#include "codelets/device/chiral.h"
#include "codelets/device/site_sums.h"

QCD_BEGIN

typedef struct {
    QCD_GLOBAL real* out;
    QCD_GLOBAL const real* in;
    QCD_GLOBAL const solve_scalars* gate;
} chiral_scale_buffers;

QCD_FN void chiral_scale_site(chiral_scale_args a, chiral_scale_buffers f, int block, lanes w)
{
    const int at = spinor_place(block, w);
    store_spinor(f.out + at,
                 f.in == 0 ? spinor_zero() : chiral_mul(a.c, request_spinor(f.in + at, w)));
}

QCD_END

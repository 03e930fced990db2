#pragma once
// The lanes of one block (contract: chiral_scale.hpp).

#include "codelets/chiral_scale/slots.h"
#include "codelets/device/chiral.h"
#include "codelets/device/site_sums.h"

QCD_BEGIN

QCD_FN void chiral_scale_site(chiral_scale_args a, chiral_scale_buffers f, int block, lanes w)
{
    const int at = spinor_place(block, w);
    store_spinor(f.out + at,
                 f.in == 0 ? spinor_zero() : chiral_mul(a.c, request_spinor(f.in + at, w)));
}

QCD_END

QCD_SITE_KERNELS(chiral_scale)

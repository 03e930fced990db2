#pragma once
// The lanes of one block (contract: add_correction.hpp).

#include "codelets/add_correction/slots.h"
#include "codelets/device/solve_scalars.h"
#include "codelets/device/wide.h"

QCD_BEGIN

QCD_FN void add_correction_site(add_correction_args a, add_correction_buffers f, int block, lanes w)
{
    const int at = spinor_place(block, w), wide_at = wide_spinor_place(block, w);
    spinor x = load_plain_spinor(f.x + plain_spinor_place(block, w));
    if (f.steps != 0 && f.steps->x.lacking > 0.0) {
        const int two = f.steps->x.lacking == 2.0;
        const scalar first = two ? f.steps->x.alpha_before : f.steps->x.alpha;
        x = spinor_fma(csplat(first), load_spinor(f.before + at), x);
        if (two) x = spinor_fma(csplat(f.steps->x.alpha), load_spinor(f.p + at), x);
    }
    store_wide_spinor(f.y + wide_at, spinor_add(load_wide_spinor(f.y + wide_at), x));
}

QCD_END

QCD_SITE_KERNELS(add_correction)

#pragma once
// The lanes of one block (contract: widen.hpp).

#include "codelets/device/solve_scalars.h"
#include "codelets/device/wide.h"
#include "codelets/widen/slots.h"

QCD_BEGIN

QCD_FN void widen_site(widen_args a, widen_buffers f, int block, lanes w)
{
    store_wide_spinor(f.out + wide_spinor_place(block, w),
                      load_spinor(f.in + spinor_place(block, w)));
}

QCD_END

QCD_SITE_KERNELS(widen)

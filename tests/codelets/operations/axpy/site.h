#pragma once
// The lanes of one block (contract: axpy.hpp).

#include "codelets/device/spinor.h"
#include "tests/codelets/operations/axpy/slots.h"

QCD_BEGIN

QCD_FN void axpy_site(axpy_args a, axpy_buffers f, int block, lanes w)
{
    const int at = spinor_place(block, w);
    const cplx alpha = cmake(vset(a.alpha), vset(0));
    store_spinor(f.y + at,
                 spinor_fma(alpha, request_spinor(f.x + at, w), request_spinor(f.y + at, w)));
}

QCD_END

QCD_UPDATE_KERNELS(axpy)

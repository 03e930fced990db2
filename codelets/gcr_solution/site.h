#pragma once
// The lanes of one block (contract: gcr_solution.hpp).

#include "codelets/device/site_sums.h"
#include "codelets/device/spinor.h"
#include "codelets/gcr_solution/slots.h"

QCD_BEGIN

QCD_FN void gcr_solution_site(gcr_solution_args a, gcr_solution_buffers f, int block, lanes w)
{
    const int at = spinor_place(block, w), used = (int)f.scalars->used;
    spinor x = request_spinor(f.x + at, w);
#if defined(__OPENCL_VERSION__) || defined(__CUDA_ARCH__)
#pragma unroll // pointers in registers
#endif
    for (int k = 0; k < QCD_MOST_DIRECTIONS; ++k)
        if (k < used) x = spinor_fma(csplat(f.scalars->xi[k]), request_spinor(f.z[k] + at, w), x);
    store_spinor(f.x + at, x);
}

QCD_END

QCD_UPDATE_KERNELS(gcr_solution)

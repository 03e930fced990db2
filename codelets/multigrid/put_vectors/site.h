#pragma once
// The lanes of one block (contract: put_vectors.hpp).

#include "codelets/multigrid/level.h"
#include "codelets/multigrid/put_vectors/slots.h"

QCD_BEGIN

QCD_FN void put_vectors_site(put_vectors_args a, put_vectors_buffers f, int block, lanes w)
{
    if (a.first + block / a.blocks >= a.vectors) return;
    store_spinor(f.basis + spinor_place(a.first * a.blocks + block, w),
                 load_spinor(f.in + spinor_place(block, w)));
}

QCD_END

QCD_SITE_KERNELS(put_vectors)

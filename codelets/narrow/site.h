#pragma once
// The lanes of one block (contract: narrow.hpp).

#include "codelets/device/wide.h"
#include "codelets/narrow/slots.h"

QCD_BEGIN

QCD_FN void narrow_site(narrow_args a, narrow_buffers f, int block, lanes w)
{
    store_spinor(f.out + spinor_place(block, w),
                 load_wide_spinor(f.in + wide_spinor_place(block, w)));
}

QCD_END

QCD_SITE_KERNELS(narrow)

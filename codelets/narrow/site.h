#pragma once
// The lanes of one block (contract: narrow.hpp).

#include "codelets/device/wide.h"
#include "codelets/narrow/args.h"

QCD_BEGIN

typedef struct {
    QCD_GLOBAL real* out;
    QCD_GLOBAL const math* in;
} narrow_buffers;

QCD_FN void narrow_site(narrow_args a, narrow_buffers f, int block, lanes w)
{
    store_spinor(f.out + spinor_place(block, w),
                 load_wide_spinor(f.in + wide_spinor_place(block, w)));
}

QCD_END

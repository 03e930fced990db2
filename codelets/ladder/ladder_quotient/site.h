#pragma once
// One thread does it all (contracts.hpp).

#include "codelets/ladder/elements.h"
#include "codelets/ladder/ladder_quotient/slots.h"

QCD_BEGIN

QCD_FN void ladder_quotient_item(ladder_quotient_args args, ladder_quotient_buffers f)
{
    for (int i = 0; i < args.count; ++i) {
        const ladder_sum a = f.a[i], b = f.b[i];
        const double norm2 = b.re * b.re + b.im * b.im;
        ladder_sum q = ladder_no_sum();
        if (norm2 > 0) { // conj(a) conj(b) / |b|^2
            q.re = (a.re * b.re - a.im * b.im) / norm2;
            q.im = -(a.re * b.im + a.im * b.re) / norm2;
        }
        f.quotient[i] = q;
    }
}

QCD_END

QCD_LADDER_SINGLE_KERNELS(ladder_quotient)

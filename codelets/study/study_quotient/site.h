#pragma once
// By one thread (contract: study_quotient.hpp).

#include "codelets/study/elements.h"
#include "codelets/study/study_quotient/args.h"

QCD_BEGIN

typedef struct {
    QCD_GLOBAL study_sum* quotient;
    QCD_GLOBAL const study_sum* a;
    QCD_GLOBAL const study_sum* b;
} study_quotient_buffers;

QCD_FN void study_quotient_item(study_quotient_args args, study_quotient_buffers f)
{
    for (int i = 0; i < args.count; ++i) {
        const study_sum a = f.a[i], b = f.b[i];
        const double norm2 = b.re * b.re + b.im * b.im;
        study_sum q = study_no_sum();
        if (norm2 > 0) { // conj(a) conj(b) / |b|^2
            q.re = (a.re * b.re - a.im * b.im) / norm2;
            q.im = -(a.re * b.im + a.im * b.re) / norm2;
        }
        f.quotient[i] = q;
    }
}

QCD_END

#pragma once
// What a site adds to the sums over the lattice.

#include "codelets/device/exact_sum.h"
#include "codelets/device/lanes.h"
#include "codelets/device/solve_scalars.h"

QCD_BEGIN

typedef struct {
    vdouble v[QCD_MAX_SUMS];
} site_sums;

/// The accumulators of a right-hand side, by those of the first one; null: null.
QCD_FN QCD_GLOBAL i64* sums_of(QCD_GLOBAL i64* first, int rhs)
{
    return first == 0 ? first : first + rhs * QCD_TASK_SUM_WORDS;
}

QCD_FN site_sums no_sums()
{
    site_sums s;
    s.v[0] = s.v[1] = s.v[2] = s.v[3] = s.v[4] = vdset(0);
    return s;
}

QCD_END

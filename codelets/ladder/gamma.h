#pragma once
// The gamma matrices of docs/conventions.md: each row has one element, a power of i.

#include "codelets/device/lang.h"
#include "codelets/device/plain_structs.h"

QCD_PLAIN_BEGIN

/// Its column in row s of gamma_mu, mu = t, x, y, z for d % 4 = 0..3.
QCD_FN int ladder_partner(int d, int s) { return d % 4 == 1 || d % 4 == 2 ? 3 - s : s ^ 2; }

/// The element: i to this power.
QCD_FN int ladder_power(int d, int s)
{
    const int outer = s == 0 || s == 3;
    switch (d % 4) {
    case 0:
        return 0;
    case 1:
        return s < 2 ? 1 : 3;
    case 2:
        return outer ? 2 : 0;
    default:
        return outer ? 1 : 3;
    }
}

QCD_PLAIN_END

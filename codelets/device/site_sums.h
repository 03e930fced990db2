#pragma once
// What a site adds to the sums over the lattice.

#include "codelets/device/exact_sum.h"
#include "codelets/device/lanes.h"

QCD_BEGIN

typedef struct {
    vdouble v[QCD_MAX_SUMS];
} site_sums;

QCD_FN site_sums no_sums()
{
    site_sums s;
    s.v[0] = s.v[1] = s.v[2] = s.v[3] = s.v[4] = vdset(0);
    return s;
}

/// Iterations that were submitted after the solver had converged do nothing: QCD_GATE, the first of
/// a solver's scalars (coefficients/layout.h), is not 0.
QCD_FN int gate_closed(QCD_GLOBAL const double* gate) { return gate != 0 && gate[0] != 0.0; }

QCD_END

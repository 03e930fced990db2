#pragma once
// A solver's scalars, a block of doubles for one or more iterations, as tasks see it. Complex ones
// take two places.

#define QCD_GATE                                                                                   \
    0 // 0: go on; 1: converged; 2: breakdown (a divisor is not positive, or rounding). Closed gates
      // stay closed
#define QCD_RR 1           // |r|^2
#define QCD_ALPHA 2        // complex
#define QCD_BETA 4         // complex
#define QCD_OMEGA 6        // complex: BiCGstab
#define QCD_ALPHA_BEFORE 6 // complex: CR's and CG's alpha of the iteration before
#define QCD_RHO 8 // complex: CR (r|Ar), CG |z|^2, BiCGstab (shadow|r); 0 before the first iteration
#define QCD_APAP 10       // CR: |Ap|^2
#define QCD_STOP 11       // the gate closes at |r|^2 <= this
#define QCD_STEPS 12      // CR, CG: how many of its steps x lacks
#define QCD_MOST_LOSS 13  // CR: |r|^2/cos^2 of the angle of r and Ar: breakdown above; 0: never
#define QCD_LEAST_COS2 14 // CR: cos^2 of that angle: breakdown below
#define QCD_SCALARS 15    // the places above: what the next block takes over
#define QCD_KNOWN 15      // number of residuals that became known in this block
#define QCD_RESIDUALS 16  // their |r|^2, in the order of iterations
#define QCD_MOST_RESIDUALS 33
#define QCD_COEFFICIENTS 49 // doubles of a block

#ifdef QCD_REAL_BITS
#include "codelets/device/cplx.h"

QCD_BEGIN

QCD_FN cplx coefficient(QCD_GLOBAL const double* c, int place)
{
    return cmake(vset(c[place]), vset(c[place + 1]));
}

QCD_END
#endif

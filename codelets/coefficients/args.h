#pragma once

#include "codelets/coefficients/layout.h"

// Which formulas (site.h), by solver, and the exact sums that they read, numbered as by QCD_SUM_*.
#define QCD_STAGE_START                                                                            \
    0 // a: dot of b:        |r|^2 = a3, stop = tol^2 |r|^2, rho = a3 (BiCGstab) or 0
#define QCD_STAGE_CR 1             // a: Ar = A r, b: cr_update
#define QCD_STAGE_CG_ALPHA 2       // a: q = A p
#define QCD_STAGE_CG_BETA 3        // a: z = A^dagger r, b: cg_residual
#define QCD_STAGE_BICGSTAB_ALPHA 4 // a: v = A p, b: bicgstab_update
#define QCD_STAGE_BICGSTAB_OMEGA 5 // a: t = A s, b: bicgstab_residual

#define QCD_STAGE_RESIDUAL 6   // b: an update:       |r|^2 alone, after the last iteration
#define QCD_STAGE_LAST_STEPS 7 // -: cr_update or cg_update with these adds what x lacks

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int stage;
    int rho_is_rr;   // START: 1 for BiCGstab, whose shadow residual is b
    double tol;      // START: relative residual at which the gate closes
    double rounding; // START, for CR: unit of rounding of the vectors; 0: it may use up all digits
} coefficients_args;

enum coefficients_slot {
    coefficients_out,
    coefficients_previous,
    coefficients_sums_a,
    coefficients_sums_b,
    coefficients_slots
};

#ifdef __cplusplus
}
#endif

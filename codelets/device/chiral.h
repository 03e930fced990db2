#pragma once
// Products with diagonal spin factors (chiral, args.h).

#include "codelets/device/spinor.h"

QCD_BEGIN

QCD_FN int chiral_is_real(chiral c) { return c.up_im == 0.0 && c.down_im == 0.0; }

/// c s. A real factor is multiplied as one: the choice depends on c alone, so bits agree
/// everywhere.
QCD_FN spinor chiral_mul(chiral c, spinor s)
{
    if (chiral_is_real(c)) {
        const vreal up = vset(c.up_re), down = vset(c.down_re);
        return spinor_make(colour_scale(up, s.s0), colour_scale(up, s.s1), colour_scale(down, s.s2),
                           colour_scale(down, s.s3));
    }
    const cplx up = cmake(vset(c.up_re), vset(c.up_im)),
               down = cmake(vset(c.down_re), vset(c.down_im));
    return spinor_make(colour_cmul(up, s.s0), colour_cmul(up, s.s1), colour_cmul(down, s.s2),
                       colour_cmul(down, s.s3));
}

/// sum + c s
QCD_FN spinor chiral_fma(chiral c, spinor s, spinor sum)
{
    if (chiral_is_real(c)) {
        const vreal up = vset(c.up_re), down = vset(c.down_re);
        return spinor_make(colour_fma_real(up, s.s0, sum.s0), colour_fma_real(up, s.s1, sum.s1),
                           colour_fma_real(down, s.s2, sum.s2),
                           colour_fma_real(down, s.s3, sum.s3));
    }
    const cplx up = cmake(vset(c.up_re), vset(c.up_im)),
               down = cmake(vset(c.down_re), vset(c.down_im));
    return spinor_make(colour_fma(up, s.s0, sum.s0), colour_fma(up, s.s1, sum.s1),
                       colour_fma(down, s.s2, sum.s2), colour_fma(down, s.s3, sum.s3));
}

QCD_END

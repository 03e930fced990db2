#pragma once
// One element of a site (contracts.hpp).

#include "codelets/ladder/ladder_xgemm34x44/slots.h"
#include "codelets/ladder/spin.h"

QCD_BEGIN

QCD_FN void ladder_xgemm34x44_site(ladder_xgemm34x44_args a, ladder_xgemm34x44_buffers f, int d,
                                   int site, int c, int s)
{
    QCD_GLOBAL const ladder_complex* psi =
        ladder_spinor_at(a.shape, f.psi, f.below, f.above, ladder_neighbour(a.shape, site, d));
    f.out[QCD_LADDER_ELEMENTS * site + 4 * c + s] =
        ladder_spin_sparse(d, s, psi[4 * c + s], psi[4 * c + ladder_partner(d, s)]);
}

QCD_END

QCD_LADDER_SITE_KERNELS(ladder_xgemm34x44)

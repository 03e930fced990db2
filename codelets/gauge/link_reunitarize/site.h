#pragma once
// Contract: link_reunitarize.hpp.

#include "codelets/gauge/link_reunitarize/slots.h"
#include "codelets/gauge/update.h"

QCD_BEGIN

QCD_FN void link_reunitarize_site(link_reunitarize_args a, link_reunitarize_buffers f, int block,
                                  lanes w)
{
    QCD_GLOBAL real* at = f.links + link_block(block) + own_lanes(QCD_LINK_ROWS, w);
    store_matrix(at, reunitarized(load_matrix(at)));
}

QCD_END

QCD_SITE_KERNELS(link_reunitarize)

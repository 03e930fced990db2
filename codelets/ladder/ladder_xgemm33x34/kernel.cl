#include "codelets/device/threads.h"
#include "codelets/ladder/ladder_xgemm33x34/site.h"

__kernel void ladder_xgemm33x34_kernel(ladder_xgemm33x34_args a, QCD_GLOBAL ladder_complex* out,
                                       QCD_GLOBAL const ladder_complex* t,
                                       QCD_GLOBAL const ladder_complex* links,
                                       QCD_GLOBAL const ladder_complex* psi)
{
    const ladder_xgemm33x34_buffers f = {out, t, links, psi};
    const int thread = QCD_THREAD_ID(), e = thread % QCD_LADDER_ELEMENTS,
              site = QCD_GROUP_ID() * a.multiple + thread / QCD_LADDER_ELEMENTS;
    if (site < a.shape.sites) ladder_xgemm33x34_site(a, f, a.d, site, e / 4, e % 4);
}

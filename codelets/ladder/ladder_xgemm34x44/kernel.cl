#include "codelets/device/threads.h"
#include "codelets/ladder/ladder_xgemm34x44/site.h"

__kernel void ladder_xgemm34x44_kernel(ladder_xgemm34x44_args a, QCD_GLOBAL ladder_complex* out,
                                       QCD_GLOBAL const ladder_complex* psi,
                                       QCD_GLOBAL const ladder_complex* below,
                                       QCD_GLOBAL const ladder_complex* above)
{
    const ladder_xgemm34x44_buffers f = {out, psi, below, above};
    const int thread = QCD_THREAD_ID(), e = thread % QCD_LADDER_ELEMENTS,
              site = QCD_GROUP_ID() * a.multiple + thread / QCD_LADDER_ELEMENTS;
    if (site < a.shape.sites) ladder_xgemm34x44_site(a, f, a.d, site, e / 4, e % 4);
}

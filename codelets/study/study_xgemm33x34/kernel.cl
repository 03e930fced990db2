#include "codelets/device/threads.h"
#include "codelets/study/study_xgemm33x34/site.h"

__kernel void study_xgemm33x34_kernel(study_xgemm33x34_args a, QCD_GLOBAL study_complex* out,
                                      QCD_GLOBAL const study_complex* t,
                                      QCD_GLOBAL const study_complex* links,
                                      QCD_GLOBAL const study_complex* psi)
{
    const study_xgemm33x34_buffers f = {out, t, links, psi};
    const int thread = QCD_THREAD_ID(), e = thread % QCD_STUDY_ELEMENTS,
              site = QCD_GROUP_ID() * a.multiple + thread / QCD_STUDY_ELEMENTS;
    if (site < a.shape.sites) study_xgemm33x34_site(a, f, a.d, site, e / 4, e % 4);
}

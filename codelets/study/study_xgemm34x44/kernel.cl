#include "codelets/device/threads.h"
#include "codelets/study/study_xgemm34x44/site.h"

__kernel void study_xgemm34x44_kernel(study_xgemm34x44_args a, QCD_GLOBAL study_complex* out,
                                      QCD_GLOBAL const study_complex* psi,
                                      QCD_GLOBAL const study_complex* below,
                                      QCD_GLOBAL const study_complex* above)
{
    const study_xgemm34x44_buffers f = {out, psi, below, above};
    const int thread = QCD_THREAD_ID(), e = thread % QCD_STUDY_ELEMENTS,
              site = QCD_GROUP_ID() * a.multiple + thread / QCD_STUDY_ELEMENTS;
    if (site < a.shape.sites) study_xgemm34x44_site(a, f, a.d, site, e / 4, e % 4);
}

#include "codelets/study/study_stencil/fine.h"

#ifdef QCD_STUDY_SWITCHES // of a version

#if QCD_STUDY_SWITCHES & QCD_STUDY_FINE
__kernel void
study_stencil_kernel(study_stencil_args a, QCD_GLOBAL study_complex* out,
                     QCD_GLOBAL const study_complex* psi, QCD_GLOBAL const study_complex* below,
                     QCD_GLOBAL const study_complex* above, QCD_GLOBAL const study_complex* links,
                     QCD_GLOBAL const int* neighbours, QCD_GLOBAL const study_complex* spin,
                     QCD_LOCAL study_complex* memory)
{
    const study_stencil_buffers f = {out, psi, below, above, links, neighbours, spin};
    study_stencil_fine(QCD_STUDY_SWITCHES, a, f, memory);
}
#else
__kernel void
study_stencil_kernel(study_stencil_args a, QCD_GLOBAL study_complex* out,
                     QCD_GLOBAL const study_complex* psi, QCD_GLOBAL const study_complex* below,
                     QCD_GLOBAL const study_complex* above, QCD_GLOBAL const study_complex* links,
                     QCD_GLOBAL const int* neighbours, QCD_GLOBAL const study_complex* spin)
{
    const study_stencil_buffers f = {out, psi, below, above, links, neighbours, spin};
    const int site = QCD_GROUP_ID() * QCD_STUDY_GROUP + QCD_THREAD_ID();
    if (site < a.shape.sites) study_stencil_site(QCD_STUDY_SWITCHES, a, f, site);
}
#endif

#endif

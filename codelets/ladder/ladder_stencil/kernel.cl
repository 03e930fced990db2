#include "codelets/ladder/ladder_stencil/fine.h"

#ifdef QCD_LADDER_SWITCHES // of a version

#if QCD_LADDER_SWITCHES & QCD_LADDER_FINE
__kernel void ladder_stencil_kernel(ladder_stencil_args a QCD_SLOT_PARAMETERS(ladder_stencil),
                                    QCD_LOCAL ladder_complex* memory)
{
    const ladder_stencil_buffers f = {QCD_SLOT_VALUES(ladder_stencil)};
    ladder_stencil_fine(QCD_LADDER_SWITCHES, a, f, memory);
}
#else
__kernel void ladder_stencil_kernel(ladder_stencil_args a QCD_SLOT_PARAMETERS(ladder_stencil))
{
    const ladder_stencil_buffers f = {QCD_SLOT_VALUES(ladder_stencil)};
    const int site = QCD_GROUP_ID() * QCD_LADDER_GROUP + QCD_THREAD_ID();
    if (site < a.shape.sites) ladder_stencil_site(QCD_LADDER_SWITCHES, a, f, site);
}
#endif

#endif

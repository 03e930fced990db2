#include "codelets/ladder/ladder_stencil/fine.h"

#ifdef QCD_LADDER_SWITCHES // of a version

#if QCD_LADDER_SWITCHES & QCD_LADDER_FINE
__kernel void
ladder_stencil_kernel(ladder_stencil_args a, QCD_GLOBAL ladder_complex* out,
                      QCD_GLOBAL const ladder_complex* psi, QCD_GLOBAL const ladder_complex* below,
                      QCD_GLOBAL const ladder_complex* above,
                      QCD_GLOBAL const ladder_complex* links, QCD_GLOBAL const int* neighbours,
                      QCD_GLOBAL const ladder_complex* spin, QCD_LOCAL ladder_complex* memory)
{
    const ladder_stencil_buffers f = {out, psi, below, above, links, neighbours, spin};
    ladder_stencil_fine(QCD_LADDER_SWITCHES, a, f, memory);
}
#else
__kernel void ladder_stencil_kernel(ladder_stencil_args a, QCD_GLOBAL ladder_complex* out,
                                    QCD_GLOBAL const ladder_complex* psi,
                                    QCD_GLOBAL const ladder_complex* below,
                                    QCD_GLOBAL const ladder_complex* above,
                                    QCD_GLOBAL const ladder_complex* links,
                                    QCD_GLOBAL const int* neighbours,
                                    QCD_GLOBAL const ladder_complex* spin)
{
    const ladder_stencil_buffers f = {out, psi, below, above, links, neighbours, spin};
    const int site = QCD_GROUP_ID() * QCD_LADDER_GROUP + QCD_THREAD_ID();
    if (site < a.shape.sites) ladder_stencil_site(QCD_LADDER_SWITCHES, a, f, site);
}
#endif

#endif

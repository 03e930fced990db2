#include "studies/wave/site.h"

#define QCD_WAVE_HEAD(name)                                                                        \
    __kernel void name##_kernel(                                                                   \
        wave_args a, QCD_GLOBAL const real* u, QCD_GLOBAL const real* face0,                       \
        QCD_GLOBAL const real* face1, QCD_GLOBAL const real* face2, QCD_GLOBAL const real* face3,  \
        QCD_GLOBAL const real* face4, QCD_GLOBAL const real* face5, QCD_GLOBAL real* before)
#define QCD_WAVE_BUFFERS                                                                           \
    {                                                                                              \
        u, {face0, face1, face2, face3, face4, face5}, before                                      \
    }

QCD_WAVE_HEAD(wave_plain)
{
    const wave_buffers f = QCD_WAVE_BUFFERS;
    const int item = (int)get_global_id(0), y = item / a.n[0];
    if (y < wave_plain_rows(a)) wave_plain_cell(a, f, item % a.n[0], y);
}

QCD_WAVE_HEAD(wave_vector)
{
    const wave_buffers f = QCD_WAVE_BUFFERS;
    wave_vector_group(a, f, QCD_GROUP_ID(), 0);
}

__kernel void wave_copy_kernel(wave_copy_args a, QCD_GLOBAL const real* from, QCD_GLOBAL real* to)
{
    const wave_copy_buffers f = {from, to};
    const int item = (int)get_global_id(0), y = item / a.n[0];
    if (y < wave_copy_rows(a)) wave_copy_cell(a, f, item % a.n[0], y);
}

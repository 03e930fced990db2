#include "studies/wave/site.h"

#define QCD_WAVE_KERNEL(name, body)                                                                \
    __kernel void name##_kernel(wave_args a, QCD_IN u, QCD_IN face0, QCD_IN face1, QCD_IN face2,   \
                                QCD_IN face3, QCD_IN face4, QCD_IN face5, QCD_OUT before)          \
    {                                                                                              \
        const wave_buffers f = {u, {face0, face1, face2, face3, face4, face5}, before};            \
        body;                                                                                      \
    }

QCD_WAVE_KERNEL(wave_plain, QCD_STUDY_CELL(wave_plain, a, f))
QCD_WAVE_KERNEL(wave_vector, wave_vector_group(a, f, QCD_GROUP_ID(), 0))

__kernel void wave_copy_kernel(wave_args a, QCD_IN from, QCD_OUT to)
{
    const wave_copy_buffers f = {from, to};
    QCD_STUDY_CELL(wave_copy, a, f);
}

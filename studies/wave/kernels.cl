#include "studies/wave/site.h"

#define QCD_WAVE_KERNEL(name)                                                                      \
    __kernel void name##_kernel(                                                                   \
        wave_args a, QCD_GLOBAL const real* u, QCD_GLOBAL const real* face0,                       \
        QCD_GLOBAL const real* face1, QCD_GLOBAL const real* face2, QCD_GLOBAL const real* face3,  \
        QCD_GLOBAL const real* face4, QCD_GLOBAL const real* face5, QCD_GLOBAL real* before)       \
    {                                                                                              \
        const wave_buffers f = {u, {face0, face1, face2, face3, face4, face5}, before};            \
        const int item = (int)get_global_id(0), columns = name##_columns(a), x = item % columns,   \
                  y = item / columns;                                                              \
        if (y >= name##_rows(a)) return;                                                           \
        if (name##_inner_row(a, y) && x >= name##_margin && x < columns - name##_margin)           \
            name##_inner(a, f, x, y);                                                              \
        else                                                                                       \
            name##_cell(a, f, x, y);                                                               \
    }

QCD_WAVE_KERNEL(wave_plain)
QCD_WAVE_KERNEL(wave_vector)

__kernel void wave_copy_kernel(wave_copy_args a, QCD_GLOBAL const real* from, QCD_GLOBAL real* to)
{
    const wave_copy_buffers f = {from, to};
    const int item = (int)get_global_id(0), y = item / a.n[0];
    if (y < wave_copy_rows(a)) wave_copy_cell(a, f, item % a.n[0], y);
}

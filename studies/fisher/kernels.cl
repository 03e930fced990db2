#include "studies/fisher/site.h"

__kernel void fisher_residual_kernel(fisher_args a, QCD_GLOBAL const real* u,
                                     QCD_GLOBAL const real* old, QCD_GLOBAL const real* above,
                                     QCD_GLOBAL const real* below, QCD_GLOBAL const real* edge,
                                     QCD_GLOBAL real* r, QCD_GLOBAL real* p, QCD_GLOBAL real* sums,
                                     QCD_LOCAL real* part)
{
    const fisher_residual_buffers f = {u, old, above, below, edge, r, p, sums};
    fisher_residual_group(a, f, QCD_GROUP_ID(), part);
}

#define QCD_FISHER_APPLY_KERNEL(name)                                                              \
    __kernel void name##_kernel(fisher_args a, QCD_GLOBAL const real* u, QCD_GLOBAL const real* p, \
                                QCD_GLOBAL const real* above, QCD_GLOBAL const real* below,        \
                                QCD_GLOBAL real* ap, QCD_GLOBAL real* sums, QCD_LOCAL real* part)  \
    {                                                                                              \
        const fisher_apply_buffers f = {u, p, above, below, ap, sums};                             \
        name##_group(a, f, QCD_GROUP_ID(), part);                                                  \
    }

QCD_FISHER_APPLY_KERNEL(fisher_apply)
QCD_FISHER_APPLY_KERNEL(fisher_apply_wide)

__kernel void fisher_update_kernel(fisher_args a, QCD_GLOBAL const fisher_scalars* scalars,
                                   QCD_GLOBAL const real* p, QCD_GLOBAL const real* ap,
                                   QCD_GLOBAL real* delta, QCD_GLOBAL real* r,
                                   QCD_GLOBAL real* sums, QCD_LOCAL real* part)
{
    const fisher_update_buffers f = {scalars, p, ap, delta, r, sums};
    fisher_update_group(a, f, QCD_GROUP_ID(), part);
}

__kernel void fisher_norm_kernel(fisher_args a, QCD_GLOBAL const real* r, QCD_GLOBAL real* sums,
                                 QCD_LOCAL real* part)
{
    const fisher_norm_buffers f = {r, sums};
    fisher_norm_group(a, f, QCD_GROUP_ID(), part);
}

#define QCD_FISHER_AXPY_KERNEL(name)                                                               \
    __kernel void name##_kernel(fisher_axpy_args a, QCD_GLOBAL const fisher_scalars* scalars,      \
                                QCD_GLOBAL const real* x, QCD_GLOBAL real* y)                      \
    {                                                                                              \
        const fisher_axpy_buffers f = {scalars, x, y};                                             \
        const int item = (int)get_global_id(0), row = item / a.nx;                                 \
        if (row < a.ny) name##_cell(a, f, item % a.nx, row);                                       \
    }

QCD_FISHER_AXPY_KERNEL(fisher_axpy)
QCD_FISHER_AXPY_KERNEL(fisher_direction)

__kernel void fisher_scalars_kernel(fisher_scalars_args a, QCD_GLOBAL fisher_scalars* scalars,
                                    QCD_GLOBAL const real* s0, QCD_GLOBAL const real* s1,
                                    QCD_GLOBAL const real* s2, QCD_GLOBAL const real* s3,
                                    QCD_GLOBAL const real* s4, QCD_GLOBAL const real* s5,
                                    QCD_GLOBAL const real* s6, QCD_GLOBAL const real* s7,
                                    QCD_GLOBAL const real* s8, QCD_GLOBAL const real* s9,
                                    QCD_GLOBAL const real* s10, QCD_GLOBAL const real* s11,
                                    QCD_GLOBAL const real* s12, QCD_GLOBAL const real* s13,
                                    QCD_GLOBAL const real* s14, QCD_GLOBAL const real* s15,
                                    QCD_LOCAL real* part)
{
    const fisher_scalars_buffers f = {
        scalars, {s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15}};
    fisher_scalars_group(a, f, 0, part);
}

__kernel void fisher_whole_kernel(fisher_whole_args a, QCD_GLOBAL const real* u, QCD_GLOBAL real* r,
                                  QCD_GLOBAL real* p, QCD_GLOBAL real* ap, QCD_GLOBAL real* delta,
                                  QCD_GLOBAL real* sums, QCD_GLOBAL fisher_scalars* scalars,
                                  QCD_LOCAL real* memory)
{
    const fisher_whole_buffers f = {u, r, p, ap, delta, sums, scalars};
    fisher_whole_group(a, f, 0, memory);
}

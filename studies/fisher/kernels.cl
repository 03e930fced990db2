#include "studies/fisher/site.h"

#define IN QCD_IN
#define OUT QCD_OUT
#define SCALARS QCD_GLOBAL fisher_scalars*

__kernel void fisher_residual_kernel(fisher_args a, IN u, IN old, IN above, IN below, IN edge,
                                     OUT r, OUT p, OUT sums, QCD_LOCAL real* part)
{
    const fisher_residual_buffers f = {u, old, above, below, edge, r, p, sums};
    fisher_residual_group(a, f, QCD_GROUP_ID(), part);
}

#define QCD_FISHER_APPLY_KERNEL(name)                                                              \
    __kernel void name##_kernel(fisher_args a, IN u, IN p, IN above, IN below, OUT ap, OUT sums,   \
                                QCD_LOCAL real* part)                                              \
    {                                                                                              \
        const fisher_apply_buffers f = {u, p, above, below, ap, sums};                             \
        name##_group(a, f, QCD_GROUP_ID(), part);                                                  \
    }

QCD_FISHER_APPLY_KERNEL(fisher_apply)
QCD_FISHER_APPLY_KERNEL(fisher_apply_wide)

__kernel void fisher_update_kernel(fisher_args a, const SCALARS scalars, IN p, IN ap, OUT delta,
                                   OUT r, OUT sums, QCD_LOCAL real* part)
{
    const fisher_update_buffers f = {scalars, p, ap, delta, r, sums};
    fisher_update_group(a, f, QCD_GROUP_ID(), part);
}

__kernel void fisher_norm_kernel(fisher_args a, IN r, OUT sums, QCD_LOCAL real* part)
{
    const fisher_norm_buffers f = {r, sums};
    fisher_norm_group(a, f, QCD_GROUP_ID(), part);
}

#define QCD_FISHER_AXPY_KERNEL(name)                                                               \
    __kernel void name##_kernel(fisher_axpy_args a, const SCALARS scalars, IN x, OUT y)            \
    {                                                                                              \
        const fisher_axpy_buffers f = {scalars, x, y};                                             \
        QCD_STUDY_CELL(name, a, f);                                                                \
    }

QCD_FISHER_AXPY_KERNEL(fisher_axpy)
QCD_FISHER_AXPY_KERNEL(fisher_direction)

__kernel void fisher_scalars_kernel(fisher_scalars_args a, SCALARS scalars, IN s0, IN s1, IN s2,
                                    IN s3, IN s4, IN s5, IN s6, IN s7, IN s8, IN s9, IN s10, IN s11,
                                    IN s12, IN s13, IN s14, IN s15, QCD_LOCAL real* part)
{
    const fisher_scalars_buffers f = {
        scalars, {s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15}};
    fisher_scalars_group(a, f, 0, part);
}

__kernel void fisher_whole_kernel(fisher_whole_args a, IN u, OUT r, OUT p, OUT ap, OUT delta,
                                  OUT sums, SCALARS scalars, QCD_LOCAL real* memory)
{
    const fisher_whole_buffers f = {u, r, p, ap, delta, sums, scalars};
    fisher_whole_group(a, f, 0, memory);
}

#include "studies/matmul/site.h"

#define QCD_MATMUL_KERNEL(name)                                                                    \
    __kernel void name##_kernel(matmul_args a, QCD_GLOBAL real* c, QCD_GLOBAL const real* left,    \
                                QCD_GLOBAL const real* right, QCD_LOCAL matmul_local* memory)      \
    {                                                                                              \
        const matmul_buffers f = {c, left, right};                                                 \
        name##_group(a, f, QCD_GROUP_ID(), memory);                                                \
    }

QCD_MATMUL_KERNEL(matmul_blocks)
QCD_MATMUL_KERNEL(matmul_shared)
QCD_MATMUL_KERNEL(matmul_four)
QCD_MATMUL_KERNEL(matmul_padded)

__kernel void matmul_pad_kernel(matmul_pad_args a, QCD_GLOBAL real* to, QCD_GLOBAL const real* from)
{
    const matmul_pad_buffers f = {to, from};
    const int item = (int)get_global_id(0), y = item / a.columns;
    if (y < a.rows) matmul_pad_cell(a, f, item % a.columns, y);
}

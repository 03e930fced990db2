#include "studies/matmul/site.h"

#define QCD_MATMUL_KERNEL(name)                                                                    \
    __kernel void name##_kernel(matmul_args a, QCD_OUT c, QCD_IN left, QCD_IN right,               \
                                QCD_LOCAL real* memory)                                            \
    {                                                                                              \
        const matmul_buffers f = {c, left, right};                                                 \
        name##_group(a, f, QCD_GROUP_ID(), memory);                                                \
    }

QCD_MATMUL_KERNEL(matmul_blocks)
QCD_MATMUL_KERNEL(matmul_shared)
QCD_MATMUL_KERNEL(matmul_four)
QCD_MATMUL_KERNEL(matmul_padded)

__kernel void matmul_pad_kernel(matmul_pad_args a, QCD_OUT to, QCD_IN from)
{
    const matmul_pad_buffers f = {to, from};
    QCD_STUDY_CELL(matmul_pad, a, f);
}

#pragma once
// Sums over the lanes of a block in OpenCL (level_kernels.hpp has the others), by a work group for
// each block: no item is without work, since PoCL goes wrong where a branch with a loop stands
// before a barrier.

#include "codelets/launch/opencl_launch.h"
#include "codelets/multigrid/level.h"

/// The head of NAME_kernel of an operation whose groups have a block (groups_of_blocks() of
/// level_groups.hpp).
#define QCD_BLOCK_KERNEL(op)                                                                       \
    __kernel __attribute__((reqd_work_group_size(QCD_LANES, 1, 1))) void op##_kernel(              \
        op##_args a QCD_SLOTS_##op(QCD_SLOT_PARAMETER, op##_))

typedef struct {
    math lane[QCD_LANES];
} lane_tree;

/// Adds up over the items of the group by halves; all of them call it and get the sum.
QCD_FN math sum_by_halves(__local lane_tree* t, math x)
{
    const int me = (int)get_local_id(0);
    t->lane[me] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = QCD_LANES / 2; step > 0; step /= 2) {
        if (me < step) t->lane[me] += t->lane[me + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const math sum = t->lane[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
}

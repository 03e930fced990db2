#pragma once
// What the OpenCL kernels share: one work item per site, groups of four blocks of 32 lanes.

#include "codelets/device/slots.h"
#include "codelets/device/spinor.h"
#include "codelets/launch/update_groups.h"

#define QCD_KERNEL __kernel __attribute__((reqd_work_group_size(QCD_GROUP, 1, 1))) void

/// The head of NAME_kernel of an operation, with its arguments, a, and slots.
#define QCD_SLOT_KERNEL(op)                                                                        \
    QCD_KERNEL op##_kernel(op##_args a QCD_SLOTS_##op(QCD_SLOT_PARAMETER, op##_))

/// In a kernel: so many of its groups have to find room on a multiprocessor at a time. CUDA's
/// __launch_bounds__ in a comment of NVIDIA's PTX, where opencl_ptx.hpp finds it.
#if defined(__NV_CL_C_VERSION)
#define QCD_GROUPS_FIT(groups) __asm volatile("// qcd: groups that fit %0" : : "n"(groups))
#else
#define QCD_GROUPS_FIT(groups)
#endif

/// The right-hand side of a group: Manner::layers of the host.
QCD_FN int own_rhs() { return (int)get_group_id(1); }
/// Where the groups of all right-hand sides on the same sites follow each other
/// (Operation::layers_are_close): their number, which the launch's second offset is.
QCD_FN int close_rhs() { return (int)get_global_offset(1); }
QCD_FN int own_close_rhs() { return close_rhs() > 1 ? (int)get_group_id(0) % close_rhs() : 0; }
/// Among the groups of the right-hand side.
QCD_FN int own_group_of_rhs()
{
    return close_rhs() > 1 ? (int)get_group_id(0) / close_rhs() : (int)get_group_id(0);
}
typedef struct {
    int block; // of a right-hand side
    lanes w;
} lane_position;

/// The block in a field of which each right-hand side has so many.
QCD_FN int own_block(lane_position at, int blocks) { return own_rhs() * blocks + at.block; }

/// Does the launch go through its tile from the end? Its offset says so (opencl_program.cpp), which
/// needs no argument.
QCD_FN int goes_downwards() { return get_global_offset(0) != 0; }

QCD_FN lane_position own_position()
{
    const int item = (int)(get_global_id(0) - get_global_offset(0));
    lane_position at;
    at.block = item / QCD_LANES;
    at.w.lane = item % QCD_LANES;
    return at;
}
/// Among `blocks`, in the direction of the launch; of items beyond them, beyond them.
QCD_FN lane_position position_among(int blocks)
{
    lane_position at = own_position();
    if (goes_downwards() && at.block < blocks) at.block = blocks - 1 - at.block;
    return at;
}

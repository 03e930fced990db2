#pragma once
// What the OpenCL kernels share: one work item per site, groups of four blocks of 32 lanes.

#include "codelets/device/spinor.h"
#include "codelets/launch/update_groups.h"

#define QCD_KERNEL __kernel __attribute__((reqd_work_group_size(QCD_GROUP, 1, 1))) void

/// In a kernel: so many of its groups have to find room on a multiprocessor at a time. CUDA's
/// __launch_bounds__ in a comment of NVIDIA's PTX, where opencl_ptx.hpp finds it.
#if defined(__NV_CL_C_VERSION)
#define QCD_GROUPS_FIT(groups) __asm volatile("// qcd: groups that fit %0" : : "n"(groups))
#else
#define QCD_GROUPS_FIT(groups)
#endif

typedef struct {
    int block;
    lanes w;
} lane_position;

QCD_FN lane_position lane_position_of(size_t item)
{
    lane_position at;
    at.block = (int)(item / QCD_LANES);
    at.w.lane = (int)(item % QCD_LANES);
    return at;
}

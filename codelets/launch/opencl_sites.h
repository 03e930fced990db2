#pragma once
// OpenCL kernels of operations that go site by site: what site_kernels.hpp is for other workers.

#include "codelets/launch/opencl_sums.h"
#include "codelets/launch/site_buffers.h"

// Begins a kernel: f are the buffers of its right-hand side, at is the item's place.
#define QCD_START_AT_SITE(op)                                                                      \
    const op##_buffers of_all = {QCD_SLOT_VALUES(op)};                                             \
    const op##_buffers f = op##_of_rhs(of_all, own_rhs());                                         \
    if (op##_closed(f)) return;                                                                    \
    const lane_position at = position_among(a.blocks)

#define QCD_SITE_KERNELS(op)                                                                       \
    QCD_SITE_BUFFERS(op)                                                                           \
    QCD_SLOT_KERNEL(op)                                                                            \
    {                                                                                              \
        QCD_START_AT_SITE(op);                                                                     \
        if (at.block < a.blocks) op##_site(a, f, own_block(at, a.blocks), at.w);                   \
    }
#define QCD_UPDATE_KERNELS(op)                                                                     \
    QCD_SITE_BUFFERS(op)                                                                           \
    QCD_SLOT_KERNEL(op)                                                                            \
    {                                                                                              \
        QCD_GROUPS_FIT(QCD_UPDATE_GROUPS);                                                         \
        QCD_START_AT_SITE(op);                                                                     \
        if (at.block < a.blocks) op##_site(a, f, own_block(at, a.blocks), at.w);                   \
    }
#define QCD_UPDATE_KERNELS_WITH_SUMS(op, which)                                                    \
    QCD_SITE_BUFFERS(op)                                                                           \
    QCD_SLOT_KERNEL(op)                                                                            \
    {                                                                                              \
        __local group_sums group;                                                                  \
        QCD_GROUPS_FIT(QCD_UPDATE_GROUPS);                                                         \
        QCD_START_AT_SITE(op);                                                                     \
        site_sums s = no_sums();                                                                   \
        if (at.block < a.blocks) s = op##_site(a, f, own_block(at, a.blocks), at.w);               \
        add_site_sums(sums_of(f.sums, own_rhs()), s, which, &group);                               \
    }

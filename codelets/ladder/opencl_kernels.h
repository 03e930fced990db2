#pragma once
// The ladder's OpenCL kernels: what kernels.hpp and site_kernels.hpp are for other workers.

#include "codelets/device/threads.h"
#include "codelets/ladder/elements.h"
#include "codelets/ladder/reduce.h"

#define QCD_LADDER_KERNELS(op)                                                                     \
    __kernel void op##_kernel(op##_args args QCD_SLOT_PARAMETERS(op))                              \
    {                                                                                              \
        const op##_buffers f = {QCD_SLOT_VALUES(op)};                                              \
        const int item = QCD_GROUP_ID() * QCD_LADDER_GROUP + QCD_THREAD_ID();                      \
        if (item < ladder_items(args.vector)) op##_item(args, f, item);                            \
    }

#define QCD_LADDER_SUM_KERNELS(op)                                                                 \
    __kernel void op##_kernel(op##_args args QCD_SLOT_PARAMETERS(op),                              \
                              QCD_LOCAL ladder_sum* shared)                                        \
    {                                                                                              \
        const op##_buffers f = {QCD_SLOT_VALUES(op)};                                              \
        const int item = QCD_GROUP_ID() * QCD_LADDER_GROUP + QCD_THREAD_ID();                      \
        ladder_sum own = ladder_no_sum();                                                          \
        if (item < ladder_items(args.vector)) own = op##_item(args, f, item);                      \
        ladder_reduce_group(own, shared, sums);                                                    \
    }

#define QCD_LADDER_SINGLE_KERNELS(op)                                                              \
    __kernel void op##_kernel(op##_args args QCD_SLOT_PARAMETERS(op))                              \
    {                                                                                              \
        const op##_buffers f = {QCD_SLOT_VALUES(op)};                                              \
        op##_item(args, f);                                                                        \
    }

#define QCD_LADDER_SITE_KERNELS(op)                                                                \
    __kernel void op##_kernel(op##_args args QCD_SLOT_PARAMETERS(op))                              \
    {                                                                                              \
        const op##_buffers f = {QCD_SLOT_VALUES(op)};                                              \
        const int thread = QCD_THREAD_ID(), e = thread % QCD_LADDER_ELEMENTS,                      \
                  site = QCD_GROUP_ID() * args.multiple + thread / QCD_LADDER_ELEMENTS;            \
        if (site < args.shape.sites) op##_site(args, f, args.d, site, e / 4, e % 4);               \
    }

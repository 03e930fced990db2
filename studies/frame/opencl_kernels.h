#pragma once
// The studies' OpenCL kernels: what kernels.hpp is for other workers. Local memory, which each group
// has, is the last argument.

#include "studies/frame/dialect.h"

#define QCD_CELL_KERNELS(name, types, slots)                                                       \
    __kernel void name##_kernel(types args QCD_SLOT_PARAMETERS(slots))                             \
    {                                                                                              \
        const slots##_buffers f = {QCD_SLOT_VALUES(slots)};                                        \
        QCD_STUDY_CELL(name, args, f);                                                             \
    }

#define QCD_GROUP_KERNELS(name, types, slots, groups)                                              \
    __kernel void name##_kernel(types args QCD_SLOT_PARAMETERS(slots), QCD_LOCAL real* memory)     \
    {                                                                                              \
        const slots##_buffers f = {QCD_SLOT_VALUES(slots)};                                        \
        name##_group(args, f, QCD_GROUP_ID(), (QCD_LOCAL void*)memory);                            \
    }
#define QCD_DEVICE_GROUP_KERNELS QCD_GROUP_KERNELS
#define QCD_DEVICE_CELL_KERNELS QCD_CELL_KERNELS

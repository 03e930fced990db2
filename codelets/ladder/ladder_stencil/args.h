#pragma once

#include "codelets/device/args.h"
#include "codelets/ladder/shape.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    ladder_shape shape;
    int switches; // QCD_LADDER_* of the version; kernels of devices are compiled for theirs
    int multiple; // sites of a work group, where threads are fine
    chiral a, b;
} ladder_stencil_args;

#ifdef __cplusplus
}
#endif

#pragma once

#include "codelets/ladder/shape.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    ladder_shape shape;
    int switches; // QCD_LADDER_* of the version
    int multiple; // sites of a work group
    int d;        // direction
} ladder_xgemm34x44_args;

#ifdef __cplusplus
}
#endif

#pragma once

#include "codelets/ladder/vector.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    ladder_vector vector;
} ladder_xdot_args;

#ifdef __cplusplus
}
#endif

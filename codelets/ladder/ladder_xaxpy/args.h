#pragma once

#include "codelets/ladder/vector.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    ladder_vector vector;
    double factor; // +1 or -1
} ladder_xaxpy_args;

#ifdef __cplusplus
}
#endif

#pragma once

#include "codelets/ladder/vector.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    ladder_vector vector;
    int from; // where in x it begins
} ladder_xcopy_args;

#ifdef __cplusplus
}
#endif

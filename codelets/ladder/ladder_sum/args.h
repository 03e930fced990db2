#pragma once

#include "codelets/ladder/vector.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    ladder_vector vector; // what it adds up
} ladder_sum_args;

#ifdef __cplusplus
}
#endif

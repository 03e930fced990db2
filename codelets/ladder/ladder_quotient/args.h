#pragma once

#include "codelets/ladder/vector.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int count; // complex numbers
} ladder_quotient_args;

#ifdef __cplusplus
}
#endif

#pragma once

#include "codelets/device/solve_scalars.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int reserved; // no argument is needed
} follow_gate_args;

#ifdef __cplusplus
}
#endif

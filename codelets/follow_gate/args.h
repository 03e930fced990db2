#pragma once

#include "codelets/device/solve_scalars.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int reserved; // no argument is needed
} follow_gate_args;

enum follow_gate_slot { follow_gate_inner, follow_gate_outer, follow_gate_slots };

#ifdef __cplusplus
}
#endif

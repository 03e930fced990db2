#pragma once

#include "codelets/ladder/vector.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int count; // complex numbers
} ladder_quotient_args;

enum ladder_quotient_slot {
    ladder_quotient_quotient,
    ladder_quotient_a,
    ladder_quotient_b,
    ladder_quotient_slots
};

#ifdef __cplusplus
}
#endif

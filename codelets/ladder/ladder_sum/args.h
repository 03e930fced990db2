#pragma once

#include "codelets/ladder/vector.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    ladder_vector vector; // what it adds up
} ladder_sum_args;

enum ladder_sum_slot { ladder_sum_sums, ladder_sum_parts, ladder_sum_slots };

#ifdef __cplusplus
}
#endif

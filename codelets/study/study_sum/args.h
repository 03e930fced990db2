#pragma once

#include "codelets/study/vector.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    study_vector vector; // what it adds up
} study_sum_args;

enum study_sum_slot { study_sum_sums, study_sum_parts, study_sum_slots };

#ifdef __cplusplus
}
#endif

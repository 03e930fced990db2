#pragma once

#include "codelets/study/vector.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    study_vector vector;
} study_xdot_args;

enum study_xdot_slot { study_xdot_sums, study_xdot_x, study_xdot_y, study_xdot_slots };

#ifdef __cplusplus
}
#endif

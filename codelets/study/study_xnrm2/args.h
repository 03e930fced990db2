#pragma once

#include "codelets/study/vector.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    study_vector vector;
} study_xnrm2_args;

enum study_xnrm2_slot { study_xnrm2_sums, study_xnrm2_x, study_xnrm2_slots };

#ifdef __cplusplus
}
#endif

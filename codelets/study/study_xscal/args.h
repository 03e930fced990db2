#pragma once

#include "codelets/study/vector.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    study_vector vector;
} study_xscal_args;

enum study_xscal_slot { study_xscal_x, study_xscal_alpha, study_xscal_slots };

#ifdef __cplusplus
}
#endif

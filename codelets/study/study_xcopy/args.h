#pragma once

#include "codelets/study/vector.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    study_vector vector;
    int from; // where in x it begins
} study_xcopy_args;

enum study_xcopy_slot { study_xcopy_y, study_xcopy_x, study_xcopy_slots };

#ifdef __cplusplus
}
#endif

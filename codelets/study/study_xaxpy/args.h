#pragma once

#include "codelets/study/vector.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    study_vector vector;
    double factor; // +1 or -1
} study_xaxpy_args;

enum study_xaxpy_slot { study_xaxpy_y, study_xaxpy_x, study_xaxpy_alpha, study_xaxpy_slots };

#ifdef __cplusplus
}
#endif

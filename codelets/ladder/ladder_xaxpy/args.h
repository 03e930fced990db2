#pragma once

#include "codelets/ladder/vector.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    ladder_vector vector;
    double factor; // +1 or -1
} ladder_xaxpy_args;

enum ladder_xaxpy_slot { ladder_xaxpy_y, ladder_xaxpy_x, ladder_xaxpy_alpha, ladder_xaxpy_slots };

#ifdef __cplusplus
}
#endif

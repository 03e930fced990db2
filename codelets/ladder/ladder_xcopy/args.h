#pragma once

#include "codelets/ladder/vector.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    ladder_vector vector;
    int from; // where in x it begins
} ladder_xcopy_args;

enum ladder_xcopy_slot { ladder_xcopy_y, ladder_xcopy_x, ladder_xcopy_slots };

#ifdef __cplusplus
}
#endif

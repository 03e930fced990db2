#pragma once

#include "codelets/ladder/vector.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    ladder_vector vector;
} ladder_xnrm2_args;

enum ladder_xnrm2_slot { ladder_xnrm2_sums, ladder_xnrm2_x, ladder_xnrm2_slots };

#ifdef __cplusplus
}
#endif

#pragma once

#include "codelets/ladder/vector.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    ladder_vector vector;
} ladder_xdot_args;

enum ladder_xdot_slot { ladder_xdot_sums, ladder_xdot_x, ladder_xdot_y, ladder_xdot_slots };

#ifdef __cplusplus
}
#endif

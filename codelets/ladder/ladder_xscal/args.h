#pragma once

#include "codelets/ladder/vector.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    ladder_vector vector;
} ladder_xscal_args;

enum ladder_xscal_slot { ladder_xscal_x, ladder_xscal_alpha, ladder_xscal_slots };

#ifdef __cplusplus
}
#endif

#pragma once

#include "codelets/device/args.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int blocks; // blocks of 32 lanes
} cg_update_args;

enum cg_update_slot {
    cg_update_x,
    cg_update_r,
    cg_update_p,
    cg_update_q,
    cg_update_coefficients,
    cg_update_sums,
    cg_update_slots
};

#ifdef __cplusplus
}
#endif

#pragma once

#include "codelets/device/args.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int blocks; // blocks of 32 lanes
} cg_residual_args;

enum cg_residual_slot {
    cg_residual_r,
    cg_residual_q,
    cg_residual_scalars,
    cg_residual_sums,
    cg_residual_slots
};

#ifdef __cplusplus
}
#endif

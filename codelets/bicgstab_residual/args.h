#pragma once

#include "codelets/device/args.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int blocks; // blocks of 32 lanes
} bicgstab_residual_args;

enum bicgstab_residual_slot {
    bicgstab_residual_r,
    bicgstab_residual_v,
    bicgstab_residual_shadow,
    bicgstab_residual_scalars,
    bicgstab_residual_sums,
    bicgstab_residual_slots
};

#ifdef __cplusplus
}
#endif

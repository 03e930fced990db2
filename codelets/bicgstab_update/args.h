#pragma once

#include "codelets/device/args.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int blocks; // blocks of 32 lanes
} bicgstab_update_args;

enum bicgstab_update_slot {
    bicgstab_update_x,
    bicgstab_update_r,
    bicgstab_update_p,
    bicgstab_update_v,
    bicgstab_update_t,
    bicgstab_update_scalars,
    bicgstab_update_sums,
    bicgstab_update_slots
};

#ifdef __cplusplus
}
#endif

#pragma once

#include "codelets/device/args.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int blocks; // blocks of 32 lanes
} cr_update_args;

enum cr_update_slot {
    cr_update_x,
    cr_update_r,
    cr_update_p,
    cr_update_Ap,
    cr_update_Ar,
    cr_update_scalars,
    cr_update_sums,
    cr_update_slots
};

#ifdef __cplusplus
}
#endif

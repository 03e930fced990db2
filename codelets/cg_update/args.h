#pragma once

#include "codelets/device/args.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int blocks; // blocks of 32 lanes
    int reach;  // QCD_REACH_*; for cores only
} cg_update_args;

enum cg_update_slot {
    cg_update_x,
    cg_update_next,
    cg_update_p,
    cg_update_z,
    cg_update_scalars,
    cg_update_slots
};

#ifdef __cplusplus
}
#endif

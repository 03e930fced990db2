#pragma once

#include "codelets/device/args.h"
#include "codelets/gcr_scalars/args.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int blocks; // blocks of 32 lanes
} gcr_update_args;

enum gcr_update_slot {
    gcr_update_q,
    gcr_update_r,
    gcr_update_z,
    gcr_update_scalars,
    gcr_update_sums,
    gcr_update_earlier, // slots for the directions before, in their order
    gcr_update_slots = gcr_update_earlier + QCD_MOST_DIRECTIONS - 1
};

#ifdef __cplusplus
}
#endif

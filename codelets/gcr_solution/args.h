#pragma once

#include "codelets/device/args.h"
#include "codelets/gcr_scalars/args.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int blocks; // blocks of 32 lanes
} gcr_solution_args;

enum gcr_solution_slot {
    gcr_solution_x,
    gcr_solution_scalars,
    gcr_solution_z, // slots for the directions of the cycle, in their order
    gcr_solution_slots = gcr_solution_z + QCD_MOST_DIRECTIONS
};

#ifdef __cplusplus
}
#endif

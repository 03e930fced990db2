#pragma once

#include "codelets/device/args.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int blocks; // blocks of 32 lanes
} add_correction_args;

enum add_correction_slot {
    add_correction_y,
    add_correction_x,
    add_correction_before,
    add_correction_p,
    add_correction_steps,
    add_correction_slots
};

#ifdef __cplusplus
}
#endif

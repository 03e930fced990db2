#pragma once

#include "codelets/device/args.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int blocks; // blocks of 32 lanes
    chiral c;
} chiral_scale_args;

enum chiral_scale_slot { chiral_scale_out, chiral_scale_in, chiral_scale_gate, chiral_scale_slots };

#ifdef __cplusplus
}
#endif

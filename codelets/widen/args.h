#pragma once

#include "codelets/device/args.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int blocks; // blocks of 32 lanes
} widen_args;

enum widen_slot { widen_out, widen_in, widen_gate, widen_slots };

#ifdef __cplusplus
}
#endif

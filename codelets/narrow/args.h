#pragma once

#include "codelets/device/args.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int blocks; // blocks of 32 lanes
} narrow_args;

enum narrow_slot { narrow_out, narrow_in, narrow_slots };

#ifdef __cplusplus
}
#endif

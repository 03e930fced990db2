#pragma once

#include "codelets/device/args.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int blocks; // blocks of 32 lanes
} dot_args;

enum dot_slot { dot_x, dot_y, dot_sums, dot_slots };

#ifdef __cplusplus
}
#endif

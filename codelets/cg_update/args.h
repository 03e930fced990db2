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

#ifdef __cplusplus
}
#endif

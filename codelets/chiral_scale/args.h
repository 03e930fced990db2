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

#ifdef __cplusplus
}
#endif

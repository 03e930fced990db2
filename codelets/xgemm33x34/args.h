#pragma once

#include "codelets/device/args.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int blocks; // blocks of 32 lanes
    int mu;     // 0 to 3
    int dagger; // 1: U^dagger
} xgemm33x34_args;

#ifdef __cplusplus
}
#endif

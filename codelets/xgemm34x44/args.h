#pragma once

#include "codelets/device/args.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int blocks; // blocks of 32 lanes
    int mu;     // 0 to 3
    int sign;   // +1 or -1
} xgemm34x44_args;

#ifdef __cplusplus
}
#endif

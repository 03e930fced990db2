#pragma once

#include "codelets/device/args.h"
#include "codelets/device/scalar.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int blocks; // blocks of 32 lanes
    scalar beta;
} xpay_args;

#ifdef __cplusplus
}
#endif

#pragma once

#include "codelets/ladder/vector.h"

#define QCD_LADDER_PARTS 8

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int more; // 1: sum is added to
} ladder_total_args;

#ifdef __cplusplus
}
#endif

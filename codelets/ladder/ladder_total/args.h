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

enum ladder_total_slot {
    ladder_total_sum,
    ladder_total_parts,
    ladder_total_slots = ladder_total_parts + QCD_LADDER_PARTS
};

#ifdef __cplusplus
}
#endif

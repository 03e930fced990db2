#pragma once

#include "codelets/study/vector.h"

#define QCD_STUDY_PARTS 8

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int more; // 1: sum is added to
} study_total_args;

enum study_total_slot {
    study_total_sum,
    study_total_parts,
    study_total_slots = study_total_parts + QCD_STUDY_PARTS
};

#ifdef __cplusplus
}
#endif

#pragma once

#include "codelets/study/vector.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int count; // complex numbers
} study_quotient_args;

enum study_quotient_slot {
    study_quotient_quotient,
    study_quotient_a,
    study_quotient_b,
    study_quotient_slots
};

#ifdef __cplusplus
}
#endif

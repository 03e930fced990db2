#pragma once

#include "codelets/study/shape.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    study_shape shape;
    int switches; // QCD_STUDY_* of the version
    int multiple; // sites of a work group
    int d;        // direction
} study_xgemm34x44_args;

enum study_xgemm34x44_slot {
    study_xgemm34x44_out,
    study_xgemm34x44_psi,
    study_xgemm34x44_below,
    study_xgemm34x44_above,
    study_xgemm34x44_slots
};

#ifdef __cplusplus
}
#endif

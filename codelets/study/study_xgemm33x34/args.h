#pragma once

#include "codelets/device/args.h"
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
    chiral a, b;
} study_xgemm33x34_args;

enum study_xgemm33x34_slot {
    study_xgemm33x34_out,
    study_xgemm33x34_t,
    study_xgemm33x34_links,
    study_xgemm33x34_psi,
    study_xgemm33x34_slots
};

#ifdef __cplusplus
}
#endif

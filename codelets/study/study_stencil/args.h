#pragma once

#include "codelets/device/args.h"
#include "codelets/study/shape.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    study_shape shape;
    int switches; // QCD_STUDY_* of the version; kernels of devices are compiled for theirs
    int multiple; // sites of a work group, where threads are fine
    chiral a, b;
} study_stencil_args;

enum study_stencil_slot {
    study_stencil_out,
    study_stencil_psi,
    study_stencil_below,
    study_stencil_above,
    study_stencil_links,
    study_stencil_neighbours,
    study_stencil_spin,
    study_stencil_slots
};

#ifdef __cplusplus
}
#endif

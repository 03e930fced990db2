#pragma once

#include "codelets/device/args.h"
#include "codelets/ladder/shape.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    ladder_shape shape;
    int switches; // QCD_LADDER_* of the version
    int multiple; // sites of a work group
    int d;        // direction
    chiral a, b;
} ladder_xgemm33x34_args;

enum ladder_xgemm33x34_slot {
    ladder_xgemm33x34_out,
    ladder_xgemm33x34_t,
    ladder_xgemm33x34_links,
    ladder_xgemm33x34_psi,
    ladder_xgemm33x34_slots
};

#ifdef __cplusplus
}
#endif

#pragma once

#include "codelets/device/args.h"
#include "codelets/device/slots.h"
#include "codelets/ladder/complex.h"
#include "codelets/ladder/shape.h"

QCD_PLAIN_BEGIN

typedef struct {
    ladder_shape shape;
    int switches; // QCD_LADDER_* of the version
    int multiple; // sites of a work group
    int d;        // direction
    chiral a, b;
} ladder_xgemm33x34_args;

QCD_PLAIN_END

#define QCD_SLOTS_ladder_xgemm33x34(S, op)                                                         \
    S(op, out, writes, spinor, ladder_complex, required)                                           \
    S(op, t, reads, spinor, ladder_complex, required)                                              \
    S(op, links, reads_one_of(8), links, ladder_complex, required)                                 \
    S(op, psi, reads, spinor, ladder_complex, optional)

QCD_DECLARE_SLOTS(ladder_xgemm33x34)

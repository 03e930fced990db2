#pragma once

#include "codelets/device/args.h"
#include "codelets/device/slots.h"
#include "codelets/ladder/complex.h"
#include "codelets/ladder/shape.h"

QCD_PLAIN_BEGIN

typedef struct {
    ladder_shape shape;
    int switches; // QCD_LADDER_* of the version; kernels of devices are compiled for theirs
    int multiple; // sites of a work group, where threads are fine
    chiral a, b;
} ladder_stencil_args;

QCD_PLAIN_END

#define QCD_SLOTS_ladder_stencil(S, op)                                                            \
    S(op, out, writes, spinor, ladder_complex, required)                                           \
    S(op, psi, reads, spinor, ladder_complex, required)                                            \
    S(op, below, reads, ladder_slice, ladder_complex, optional)                                    \
    S(op, above, reads, ladder_slice, ladder_complex, optional)                                    \
    S(op, links, reads, links, ladder_complex, required)                                           \
    S(op, neighbours, reads, ladder_neighbours, int, optional)                                     \
    S(op, spin, reads, ladder_spin_matrices, ladder_complex, optional)

QCD_DECLARE_SLOTS(ladder_stencil)

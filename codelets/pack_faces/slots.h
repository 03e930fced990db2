#pragma once

#include "codelets/device/args.h"
#include "codelets/device/slots.h"

QCD_PLAIN_BEGIN

typedef struct {
    tile_shape shape;
    int parity;   // of the sites of psi
    int negate_t; // as in hopping/args.h
} pack_faces_args;

QCD_PLAIN_END

#define QCD_SLOTS_pack_faces(S, op)                                                                \
    S(op, psi, reads_part, spinor, real, required)                                                 \
    S(op, links, reads_part, links, real, required)                                                \
    S(op, gate, reads, gate, solve_scalars, optional)                                              \
    S(op, faces, writes, faces, math, several(8))

QCD_DECLARE_SLOTS(pack_faces)

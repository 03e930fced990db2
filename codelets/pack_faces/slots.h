#pragma once

#include "codelets/device/slots.h"
#include "codelets/pack_faces/args.h"

#define QCD_SLOTS_pack_faces(S, op)                                                                \
    S(op, psi, reads_part, spinor, real, required)                                                 \
    S(op, links, reads_part, links, real, required)                                                \
    S(op, gate, reads, gate, solve_scalars, optional)                                              \
    S(op, faces, writes, faces, math, several(8))

QCD_DECLARE_SLOTS(pack_faces)

#pragma once

#include "codelets/device/slots.h"
#include "codelets/hopping/args.h"

#define QCD_SLOTS_hopping(S, op)                                                                   \
    S(op, out, writes, spinor, real, optional)                                                     \
    S(op, psi, reads, spinor, real, required)                                                      \
    S(op, links, reads, links, real, required)                                                     \
    S(op, links_other, reads, links, real, required)                                               \
    S(op, v, reads, spinor, real, optional)                                                        \
    S(op, u, reads, spinor, real, optional)                                                        \
    S(op, sums, writes, sums, i64, optional)                                                       \
    S(op, gate, reads, gate, solve_scalars, optional)                                              \
    S(op, clover, reads, clover, plain, optional)                                                  \
    S(op, inverse, reads, clover, plain, optional)                                                 \
    S(op, faces, reads, faces, math, several(8))

QCD_DECLARE_SLOTS(hopping)

#pragma once

#include "codelets/device/slots.h"
#include "codelets/hopping/args.h"

// A hop is the first one, or the only one, to write its tile, or it goes on where another ended
// (hop_border): these say how it uses out and its sums, and what they hold.
#define QCD_SLOTS_hopping(S, op) QCD_SLOTS_OF_HOP(S, op, writes, sums)
#define QCD_SLOTS_OF_HOP(S, op, use, summed)                                                       \
    S(op, out, use, spinor, real, optional)                                                        \
    S(op, psi, reads, spinor, real, required)                                                      \
    S(op, links, reads, links, real, required)                                                     \
    S(op, links_other, reads, links, real, required)                                               \
    S(op, v, reads, spinor, real, optional)                                                        \
    S(op, u, reads, spinor, real, optional)                                                        \
    S(op, sums, use, summed, i64, optional)                                                        \
    S(op, gate, reads, gate, solve_scalars, optional)                                              \
    S(op, clover, reads, clover, plain, optional)                                                  \
    S(op, inverse, reads, clover, plain, optional)                                                 \
    S(op, faces, reads, faces, math, several(8))

QCD_DECLARE_SLOTS(hopping)

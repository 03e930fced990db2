#pragma once

#include "codelets/device/args.h"
#include "codelets/device/slots.h"

QCD_PLAIN_BEGIN

typedef struct {
    int blocks; // of 32 lines
    tile_shape shape;
    int extents[4]; // of the tile
    int begins;     // 1: at t = 0 of the lattice
    int ends;       // 1: at its last t
} polyakov_lines_args;

/// Re and Im of the traces fill these accumulators, 0 and 1.
enum { polyakov_lines_which = QCD_SUM_V_OUT };

QCD_PLAIN_END

#define QCD_SLOTS_polyakov_lines(S, op)                                                            \
    S(op, lines, updates, matrices, real, required)                                                \
    S(op, links, reads, links, real, several(2))                                                   \
    S(op, sums, writes, sums, i64, optional)

QCD_DECLARE_SLOTS(polyakov_lines)

#pragma once

#include "codelets/device/args.h"
#include "codelets/device/slots.h"

QCD_PLAIN_BEGIN

typedef struct {
    int blocks; // of the tile
    tile_shape shape;
    int parity; // of the sites
} link_plaquettes_args;

/// The sums over planes of space and over those with t fill these accumulators, 0 and 1.
enum { link_plaquettes_which = QCD_SUM_V_OUT };

QCD_PLAIN_END

// ahead: [3 mu + k], nu the k-th direction besides mu, ascending.
#define QCD_SLOTS_link_plaquettes(S, op)                                                           \
    S(op, same, reads, links, real, several(4))                                                    \
    S(op, other, reads, links, real, several(4))                                                   \
    S(op, ahead, reads_part, links, real, several(12))                                             \
    S(op, sums, writes, sums, i64, required)

QCD_DECLARE_SLOTS(link_plaquettes)

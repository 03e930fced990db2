#pragma once
// Arguments and slots of the operations that update links (contracts: link_heatbath/,
// link_overrelax/).

#include "codelets/device/args.h"
#include "codelets/device/slots.h"

// An accepted height is drawn within so many trials, or the link stays as it is.
#define QCD_MOST_TRIALS 32

QCD_PLAIN_BEGIN

typedef struct {
    int blocks; // of the tile
    tile_shape shape;
    int mu, parity; // of the links
    // The members from here on are read by heat bath alone.
    double weight;           // 2 beta / 3
    unsigned seed[2], sweep; // lower and upper half; from 1 on
    // The number of a site on the lattice is site + sum of stride[nu] i[nu], where i are the places
    // of its block (i[0] columns), + rho of its row + lane_site[b] for each bit b of its lane.
    unsigned site, stride[4], lane_site[5];
} link_update_args;

/// What happened in a tile, over all its updates.
typedef struct {
    u64 drawn;     // SU(2) elements that heat bath was to draw
    u64 trials;    // random heights that it tried for them
    u64 exhausted; // elements that were left as they are, because no trial was accepted
} link_counts;

QCD_PLAIN_END

// nu: the three directions besides mu, ascending. T + mu is the tile ahead in mu.
#define QCD_SLOTS_link_update(S, op)                                                               \
    S(op, own, updates, links, real, required)                                                     \
    S(op, same, reads, links, real, several(3))                                                    \
    S(op, other, reads, links, real, several(4))                                                   \
    S(op, ahead_same, reads_part, links, real, several(3))                                         \
    S(op, ahead_other, reads_part, links, real, several(3))                                        \
    S(op, beside, reads_part, links, real, several(3))                                             \
    S(op, behind_same, reads_part, links, real, several(3))                                        \
    S(op, behind_other, reads_part, links, real, several(3))                                       \
    S(op, behind, reads_part, links, real, several(3))                                             \
    S(op, diagonal, reads_part, links, real, several(3))                                           \
    S(op, counts, updates, link_counts, link_counts, optional)
QCD_DECLARE_SLOTS(link_update)

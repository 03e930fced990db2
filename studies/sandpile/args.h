#pragma once
// A part of a sandpile (contract: sandpile.hpp).

#include "codelets/device/slots.h"

#define QCD_PILE_BLOCK 32 // cells a side that a group of version overlap computes
#define QCD_PILE_DEEP 8   // most sweeps of it

QCD_PLAIN_BEGIN

/// `look` numbers the looks of the host at an `unstable` flag, from 1 on: a kernel that finds an
/// unstable cell sets the flag to it, and nobody has to clear the flag before.
typedef struct {
    int columns, rows; // cells
    int look;
} pile_step_args;

typedef struct {
    int nx, ny, sweeps;
    int look;
} pile_overlap_args;

typedef struct {
    int nx, ny, sweeps; // at most
} pile_avalanche_args;

/// What a task of version lazy says: unstable cells are left, and grains went over face f.
enum { pile_report_unstable, pile_report_sent, pile_report_words = pile_report_sent + 4 };

QCD_PLAIN_END

#define QCD_SLOTS_pile_step(S, op)                                                                 \
    S(op, u, reads, grains, int, required)                                                         \
    S(op, faces, reads, grains, int, several(4))                                                   \
    S(op, next, writes, grains, int, required)                                                     \
    S(op, unstable, updates, flag, int, optional)
QCD_DECLARE_SLOTS(pile_step)

#define QCD_SLOTS_pile_overlap(S, op)                                                              \
    S(op, u, reads, grains, int, required)                                                         \
    S(op, ahead, reads, grains, int, optional)                                                     \
    S(op, behind, reads, grains, int, optional)                                                    \
    S(op, next, writes, grains, int, required)                                                     \
    S(op, unstable, updates, flag, int, optional)
QCD_DECLARE_SLOTS(pile_overlap)

#define QCD_SLOTS_pile_avalanche(S, op)                                                            \
    S(op, u, updates, grains, int, required)                                                       \
    S(op, in, updates, grains, int, several(4))                                                    \
    S(op, out, updates, grains, int, several(4))                                                   \
    S(op, report, writes, flags, int, required)
QCD_DECLARE_SLOTS(pile_avalanche)

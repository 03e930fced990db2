#pragma once
// A part of a sandpile (contract: sandpile.hpp).

#include "codelets/device/lang.h"

#define QCD_PILE_BLOCK 32 // cells a side that a group of version overlap computes
#define QCD_PILE_DEEP 8   // most sweeps of it

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int nx, ny; // cells, x lies together
} pile_step_args;

typedef struct {
    int nx, ny, sweeps;
} pile_overlap_args;

typedef struct {
    int nx, ny, sweeps; // at most
} pile_avalanche_args;

enum { pile_step_u, pile_step_faces, pile_step_next = pile_step_faces + 4, pile_step_unstable };
enum {
    pile_overlap_u,
    pile_overlap_ahead,
    pile_overlap_behind,
    pile_overlap_next,
    pile_overlap_unstable
};
enum {
    pile_avalanche_u,
    pile_avalanche_in,
    pile_avalanche_out = pile_avalanche_in + 4,
    pile_avalanche_report = pile_avalanche_out + 4
};

/// What a task of version lazy says: unstable cells are left, and grains went over face f.
enum { pile_report_unstable, pile_report_sent, pile_report_words = pile_report_sent + 4 };

#ifdef __cplusplus
}
#endif

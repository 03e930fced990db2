#pragma once
// What kernels receive by value: the same plain structs for host, CUDA and OpenCL, in both
// precisions.

#include "codelets/device/plain_structs.h"

// Which sums a task makes: bit k asks for accumulator k. One that was not asked for reads 0.
#define QCD_SUM_RE_V_OUT 1  // Re (v|out)
#define QCD_SUM_IM_V_OUT 2  // Im (v|out)
#define QCD_SUM_OUT_OUT 4   // |out|^2
#define QCD_SUM_RE_U_OUT 8  // Re (u|out)
#define QCD_SUM_IM_U_OUT 16 // Im (u|out)
#define QCD_SUM_V_OUT (QCD_SUM_RE_V_OUT | QCD_SUM_IM_V_OUT)
#define QCD_SUM_U_OUT (QCD_SUM_RE_U_OUT | QCD_SUM_IM_U_OUT)

// Where cores find the data of an operation.
#define QCD_REACH_NEAR 0   // a small part of the last-level cache
#define QCD_REACH_FAR 1    // the last-level cache
#define QCD_REACH_MEMORY 2 // beyond it: what is only written is stored past the caches

// How a core asks for what it will read: a piece of each link and of the spinors at z and t.
#define QCD_PREFETCH_REST 0  // of links, the rest of the piece that is begun, into L1
#define QCD_PREFETCH_NEXT 1  // the next piece, into L2
#define QCD_PREFETCH_EARLY 2 // that two pieces ahead, and a spinor's rows in the order of memory
#define QCD_PREFETCH_CLOSE 3 // the next piece and the rest of this one, into L1; no spinors behind

QCD_PLAIN_BEGIN

/// One tile of the lattice (shape.h).
typedef struct {
    int m[4];    // blocks per direction
    int bit[4];  // first lane bit of the direction
    int mask[4]; // its lane bits, in which a part's number stands backwards; 0: only one part
    int cut[4];  // 1: neighbours across the tile's ends belong to other tiles and arrive as faces
    int blocks;  // m0*m1*m2*m3
    // Bit l is set if an odd number of rows lies before the parts of lane l: its sites then have
    // the other row offset (shape.h). 0 if x is cut.
    unsigned other_rows;
} tile_shape;

/// Diagonal spin factor diag(up, up, down, down), up and down complex: gamma5, 1 + i mubar gamma5
/// and its inverse, kappa and signs are all of this form, and so is every product of them.
typedef struct {
    double up_re, up_im, down_re, down_im;
} chiral;

/// Arguments of operations that go site by site and need no others (QCD_ARGS_OF_BLOCKS).
typedef struct {
    int blocks; // blocks of 32 lanes
} blocks_args;

QCD_PLAIN_END

#define QCD_ARGS_OF_BLOCKS(op)                                                                     \
    QCD_PLAIN_BEGIN                                                                                \
    typedef blocks_args op##_args;                                                                 \
    QCD_PLAIN_END

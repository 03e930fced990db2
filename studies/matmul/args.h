#pragma once
// C <- C + A B on tiles, row by row: A m x k, B k x n, C m x n (contract: matmul.hpp).

#include "codelets/device/slots.h"

#define QCD_MATMUL_SQUARE 16 // of versions blocks and shared: a group's threads, tiles in memory
#define QCD_MATMUL_SIDE 64   // of version four: rows and columns of C of a group
#define QCD_MATMUL_DEPTH 32  // of its tiles in local memory: 32 KiB of doubles for the two
#define QCD_MATMUL_EACH 4    // elements of C of a thread

QCD_PLAIN_BEGIN

typedef struct {
    int m, n, k;
} matmul_args;

/// A copy of a matrix into, or out of, one with rows and columns enough for whole tiles.
typedef struct {
    int columns, rows;           // of the matrix that is written
    int from_columns, from_rows; // of the other: what lies beyond reads 0
} matmul_pad_args;

QCD_PLAIN_END

#define QCD_SLOTS_matmul(S, op)                                                                    \
    S(op, c, updates, matrix, real, required)                                                      \
    S(op, a, reads, matrix, real, required)                                                        \
    S(op, b, reads, matrix, real, required)
QCD_DECLARE_SLOTS(matmul)

#define QCD_SLOTS_matmul_pad(S, op)                                                                \
    S(op, to, writes, matrix, real, required)                                                      \
    S(op, from, reads, matrix, real, required)
QCD_DECLARE_SLOTS(matmul_pad)

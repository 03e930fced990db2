#pragma once
// A slab of a field in two dimensions, and the scalars of a CG solve (contracts: operations.hpp).

#include "codelets/device/slots.h"

#define QCD_FISHER_LANES 64  // partial sums of a row, and of all rows
#define QCD_FISHER_SLABS 16  // most parts
#define QCD_FISHER_WHOLE 512 // threads of the kernel that is a whole solve

QCD_PLAIN_BEGIN

/// alpha = h^2 / (D dt) and beta = R h^2 / D, where h is the distance of cells.
typedef struct {
    int nx, ny;      // cells of the slab, x lies together
    int first, rows; // of this call
    double alpha, beta;
} fisher_args;

typedef struct {
    int columns, rows;
    double factor; // times alpha of the scalars
} fisher_axpy_args;

/// What a step of the scalars does with the sum of all rows.
enum { fisher_begin, fisher_set_alpha, fisher_set_beta };
typedef struct {
    int step;
    int slabs;
    int rows[QCD_FISHER_SLABS];
    double tolerance; // of |r| / |r of the first iteration|
} fisher_scalars_args;

typedef struct {
    int nx, ny;
    double alpha, beta, tolerance;
    int most_iterations;
} fisher_whole_args;

typedef struct {
    double rr, first, alpha, beta, iterations;
    double done; // 1: converged, alpha is 0 from now on
} fisher_scalars;

QCD_PLAIN_END

#define QCD_SLOTS_fisher_residual(S, op)                                                           \
    S(op, u, reads, field, real, required)                                                         \
    S(op, old, reads, field, real, required)                                                       \
    S(op, above, reads, row, real, optional)                                                       \
    S(op, below, reads, row, real, optional)                                                       \
    S(op, edge, reads, row, real, required)                                                        \
    S(op, r, writes, field, real, required)                                                        \
    S(op, p, writes, field, real, required)                                                        \
    S(op, sums, writes, sums_of_rows, real, required)
QCD_DECLARE_SLOTS(fisher_residual)

#define QCD_SLOTS_fisher_apply(S, op)                                                              \
    S(op, u, reads, field, real, required)                                                         \
    S(op, p, reads, field, real, required)                                                         \
    S(op, above, reads, row, real, optional)                                                       \
    S(op, below, reads, row, real, optional)                                                       \
    S(op, ap, writes, field, real, required)                                                       \
    S(op, sums, writes, sums_of_rows, real, required)
QCD_DECLARE_SLOTS(fisher_apply)

#define QCD_SLOTS_fisher_update(S, op)                                                             \
    S(op, scalars, reads, scalars, fisher_scalars, required)                                       \
    S(op, p, reads, field, real, required)                                                         \
    S(op, ap, reads, field, real, required)                                                        \
    S(op, delta, updates, field, real, required)                                                   \
    S(op, r, updates, field, real, required)                                                       \
    S(op, sums, writes, sums_of_rows, real, required)
QCD_DECLARE_SLOTS(fisher_update)

#define QCD_SLOTS_fisher_axpy(S, op)                                                               \
    S(op, scalars, reads, scalars, fisher_scalars, optional)                                       \
    S(op, x, reads, field, real, required)                                                         \
    S(op, y, updates, field, real, required)
QCD_DECLARE_SLOTS(fisher_axpy)

#define QCD_SLOTS_fisher_norm(S, op)                                                               \
    S(op, r, reads, field, real, required)                                                         \
    S(op, sums, writes, sums_of_rows, real, required)
QCD_DECLARE_SLOTS(fisher_norm)

#define QCD_SLOTS_fisher_scalars(S, op)                                                            \
    S(op, scalars, updates, scalars, fisher_scalars, required)                                     \
    S(op, sums, reads, sums_of_rows, real, several(QCD_FISHER_SLABS))
QCD_DECLARE_SLOTS(fisher_scalars)

#define QCD_SLOTS_fisher_whole(S, op)                                                              \
    S(op, u, reads, field, real, required)                                                         \
    S(op, r, updates, field, real, required)                                                       \
    S(op, p, updates, field, real, required)                                                       \
    S(op, ap, writes, field, real, required)                                                       \
    S(op, delta, updates, field, real, required)                                                   \
    S(op, sums, updates, sums_of_rows, real, required)                                             \
    S(op, scalars, updates, scalars, fisher_scalars, required)
QCD_DECLARE_SLOTS(fisher_whole)

#pragma once
// A slab of a field in two dimensions, and the scalars of a CG solve (contracts: operations.hpp).

#include "codelets/device/lang.h"

#define QCD_FISHER_LANES 64  // partial sums of a row, and of all rows
#define QCD_FISHER_SLABS 16  // most parts
#define QCD_FISHER_WHOLE 512 // threads of the kernel that is a whole solve

#ifdef __cplusplus
namespace qcd
{
#endif

/// With h the distance of cells, alpha = h^2 / (D dt) and beta = R h^2 / D.
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

#ifdef __cplusplus
}
#endif

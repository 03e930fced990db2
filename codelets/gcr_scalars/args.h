#pragma once

#include "codelets/device/scalar_step.h"

// Directions of a cycle, at most: as many fields as a task takes.
#define QCD_MOST_DIRECTIONS 16
#define QCD_MOST_EARLIER 15 // than the newest
// Products with earlier directions that a scalar step takes: two of a set of sums.
#define QCD_PROJECTED_AT_ONCE 4

QCD_PLAIN_BEGIN

typedef struct {
    solve_scalars solve;
    double directions; // of the cycle so far, that of this iteration included once alpha is known
    double projected;  // earlier ones whose products with A z are known
    double used;       // by gcr_solution
    double norm2[QCD_MOST_DIRECTIONS]; // |q|^2 of each
    scalar alpha[QCD_MOST_DIRECTIONS]; // the step along each
    scalar beta[QCD_MOST_DIRECTIONS];  // of this iteration, along earlier ones
    // The betas of all iterations of the cycle: direction k has them from place k (k - 1)/2 on.
    scalar triangle[QCD_MOST_DIRECTIONS * (QCD_MOST_DIRECTIONS - 1) / 2];
    scalar xi[QCD_MOST_DIRECTIONS]; // by which x has each z
} gcr_scalars;

QCD_PLAIN_END

// Operations on them: S(NAME, whether NAME writes or updates them, type).
#define QCD_STEPS_gcr_scalars(S)                                                                   \
    S(gcr_start, writes, gcr_scalars)                                                              \
    S(gcr_resume, updates, gcr_scalars)                                                            \
    S(gcr_project, updates, gcr_scalars)                                                           \
    S(gcr_alpha, updates, gcr_scalars)                                                             \
    S(gcr_residual, updates, gcr_scalars)                                                          \
    S(gcr_steps, updates, gcr_scalars)                                                             \
    S(gcr_last_steps, updates, gcr_scalars)

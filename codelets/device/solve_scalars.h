#pragma once
// What the scalars of all methods have in common. All members of such structs are doubles, so that
// a group of work items moves them word by word.

#include "codelets/device/scalar.h"

QCD_PLAIN_BEGIN

// From the scalars of one right-hand side to those of the next, in doubles, whatever the method:
// those of GCR need most.
#define QCD_SCALARS_STRIDE 384

// What a gate says; but for the first, it is closed and stays so until it is set anew. Doubles, as
// all members of scalars.
#define QCD_GATE_OPEN 0.0 // go on
#define QCD_GATE_CONVERGED 1.0
#define QCD_GATE_BREAKDOWN 2.0  // a divisor is not positive, or rounding is too large
#define QCD_GATE_UPDATE_DUE 3.0 // r is to be computed anew, in double
#define QCD_GATE_WAITING 4.0    // for other right-hand sides to be done

/// The first member of each method's scalars.
typedef struct {
    double gate; // QCD_GATE_*
    double rr;   // |r|^2
    double bb;   // |b|^2
    double stop; // the gate closes at |r|^2 <= this
    // Scalars of a solve in two precisions (solver/mixed_solver.hpp):
    double drop; // an update is due also at |r|^2 <= drop most; 0: in one precision
    double most; // largest |r|^2 since r was computed
} solve_scalars;

/// The scalars of a right-hand side, by those of the first one; null: null.
QCD_FN QCD_GLOBAL const solve_scalars* gate_of(QCD_GLOBAL const solve_scalars* first, int rhs)
{
    return first == 0 ? first
                      : (QCD_GLOBAL const solve_scalars*)((QCD_GLOBAL const double*)first +
                                                          rhs * QCD_SCALARS_STRIDE);
}

/// Iterations that were submitted after the solver had converged do nothing. Null: always open.
QCD_FN int gate_closed(QCD_GLOBAL const solve_scalars* gate)
{
    return gate != 0 && gate->gate != QCD_GATE_OPEN;
}

enum { most_residuals = 33 };

/// What the host looks at some iterations late, of one or more iterations: a solve has several of
/// these in turn, while its scalars stay in one place.
typedef struct {
    double gate, bb;           // as the scalars had them at the end
    double known;              // number of |r|^2 that became known
    double rr[most_residuals]; // these, in the order of iterations
} solve_history;

/// Scalars of CR and CG, whose x goes through memory for two steps at a time.
typedef struct {
    scalar alpha, alpha_before; // of this iteration and of that before
    double lacking;             // how many of its steps x lacks
} x_steps;

/// How the scalars of methods begin that have such steps.
typedef struct {
    solve_scalars solve;
    x_steps x;
} scalars_with_steps;

QCD_PLAIN_END

#pragma once
// Operations on a method's scalars: what they are given, and what they have in common. Such an
// operation is one function, NAME_site in its folder's site.h, of one work item:
//   QCD_FN int NAME_site(scalar_step_args, QCD_SHARED SCALARS*, step_sums)
// changes the scalars and returns 1 if |r|^2 has become known. It does nothing behind a closed
// gate, where it does not say otherwise. launch/scalar_kernels.hpp makes kernels of it.
//   [scalars]  RW (W where args.begins)  the method's struct, which begins with solve_scalars; of
//                                        NAME_start without args.begins only `stop` is read
//   [history]  W (RW where args.place is not 0)  solve_history; may be absent. |r|^2 goes there
//                                        where it becomes known
//   [sums_a] [sums_b]  R  5 exact accumulators each; may be absent, see each operation
// In a batch a device's kernel clears sums that it has read where others start next (batch.cpp).

#include "codelets/device/exact_sum.h"
#include "codelets/device/slots.h"
#include "codelets/device/solve_scalars.h"

#define QCD_SLOTS_scalar_step(S, op)                                                               \
    S(op, scalars, updates, scalars, solve_scalars, required)                                      \
    S(op, history, writes, history, solve_history, optional)                                       \
    S(op, sums_a, reads, sums, i64, optional)                                                      \
    S(op, sums_b, reads, sums, i64, optional)
QCD_SLOT_ENUM(scalar_step)

QCD_PLAIN_BEGIN

typedef struct {
    int place;       // in the history, of the next |r|^2
    int begins;      // 1: NAME_start, which sets all scalars and reads none
    double tol;      // NAME_start with `begins`: |r|/|b| at which the gate closes
    double rounding; // cr_start: unit of rounding of the vectors; 0: it may use up all digits
    double drop;     // NAME_start: of |r|, after which it is computed anew in double; 0: never
    int forgets;     // NAME_resume: 1: without the directions so far
} scalar_step_args;

/// The rounded values of a set of accumulators, in their order. (QCD_SUM_*; of dot(x, y): (x|y),
/// |y|^2, |x|^2)
typedef struct {
    scalar v_out;   // (v|out)
    double out_out; // |out|^2
    scalar u_out;   // (u|out)
} lattice_sums;

QCD_FN double norm2_of_x(lattice_sums of_dot) { return of_dot.u_out.re; }

typedef struct {
    lattice_sums a, b;
    int has_b;
} step_sums;

QCD_FN int is_finite(double square) { return square <= 0x1.fffffffffffffp1023; }

/// |r|/|b| at which the gate closes, before NAME_start has set anything: that of all right-hand
/// sides, or what the host has put in the place of `stop` for each.
QCD_FN double starting_tolerance(scalar_step_args a, QCD_SHARED const solve_scalars* c)
{
    return a.begins ? a.tol : c->stop;
}

/// NAME_start. a: dot of r; b: dot of the right-hand side, absent where that is r.
QCD_FN int start_solve(scalar_step_args a, QCD_SHARED solve_scalars* c, step_sums s)
{
    const double tol = starting_tolerance(a, c);
    c->rr = norm2_of_x(s.a);
    c->bb = s.has_b ? norm2_of_x(s.b) : c->rr;
    c->stop = is_finite(c->bb) ? tol * tol * c->bb : 0.0; // else: breaks down
    c->drop = a.drop * a.drop;
    c->most = c->rr;
    c->gate = c->rr <= c->stop ? QCD_GATE_CONVERGED : QCD_GATE_OPEN;
    return 1;
}

/// Does NAME_resume leave it alone? The gate of one of several right-hand sides that does not go
/// on.
QCD_FN int has_ended(QCD_SHARED const solve_scalars* c) { return c->gate == QCD_GATE_CONVERGED; }
/// NAME_resume, behind a closed gate: r has been computed anew. b: dot of it.
QCD_FN void resume_solve(QCD_SHARED solve_scalars* c, step_sums s)
{
    c->rr = c->most = norm2_of_x(s.b);
    c->gate = is_finite(c->rr) ? QCD_GATE_OPEN : QCD_GATE_BREAKDOWN;
}

/// |r|^2 from the update that sums_b are of; without them it is the one before.
QCD_FN int take_residual(QCD_SHARED solve_scalars* c, step_sums s)
{
    if (s.has_b) c->rr = s.b.out_out;
    return s.has_b;
}

/// Closes the gate when the residual is small enough, or when the method cannot go on: divisors are
/// squares or sizes, so one that is not positive is zero, rounding or no number. In two precisions
/// a small residual has to be computed in double.
QCD_FN int keep_going(QCD_SHARED solve_scalars* c, double divisor)
{
    if (c->rr > c->most) c->most = c->rr;
    if (c->rr <= c->stop || c->rr <= c->drop * c->most)
        c->gate = c->drop == 0.0 ? QCD_GATE_CONVERGED : QCD_GATE_UPDATE_DUE;
    else if (!(divisor > 0.0) || !is_finite(c->rr))
        c->gate = QCD_GATE_BREAKDOWN;
    return c->gate == QCD_GATE_OPEN;
}

QCD_FN void next_alpha(QCD_SHARED x_steps* x, scalar alpha)
{
    x->alpha_before = x->alpha;
    x->alpha = alpha;
    x->lacking += 1.0;
}
/// Notes that x has its steps: the update that follows this operation makes them.
QCD_FN void steps_are_made(QCD_SHARED x_steps* x)
{
    if (x->lacking == 2.0) x->lacking = 0.0;
}
/// Gives x the steps that it lacks after the last iteration, behind a closed gate, too, by two
/// alphas, of which the later one is 0 if it lacks one step. Opens the gate for that, else closes
/// it.
QCD_FN void last_steps(QCD_SHARED solve_scalars* c, QCD_SHARED x_steps* x)
{
    if (x->lacking == 1.0) next_alpha(x, scalar_make(0, 0));
    c->gate = x->lacking == 0.0 ? QCD_GATE_CONVERGED : QCD_GATE_OPEN;
}
QCD_FN void no_steps(QCD_SHARED x_steps* x)
{
    x->alpha = x->alpha_before = scalar_make(0, 0);
    x->lacking = 0.0;
}
/// x has all of its steps. Where the next iteration is one that takes x through memory, the step
/// before is one of length 0.
QCD_FN void steps_were_added(QCD_SHARED x_steps* x)
{
    const double lacking = x->lacking;
    no_steps(x);
    if (lacking == 1.0) x->lacking = 1.0;
}

/// What a step of these scalars leaves in the history; one whose first it is begins anew.
QCD_FN void note_in_history(QCD_GLOBAL solve_history* h, QCD_SHARED const solve_scalars* c,
                            int place, int residual_is_known)
{
    if (h == 0) return;
    h->gate = c->gate;
    h->bb = c->bb;
    if (residual_is_known && place < most_residuals) h->rr[place] = c->rr;
    if (place == 0 || (residual_is_known && place < most_residuals))
        h->known = place + residual_is_known;
}

QCD_PLAIN_END

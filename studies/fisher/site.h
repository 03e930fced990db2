#pragma once
// F(u) = L u - (4 + alpha) u + beta u (1 - u) + alpha u_old, L u the sum of the four neighbours,
// and A = -F'(u). A group has a row; 64 lanes add up every 64th cell, then a tree adds the lanes,
// and so it is with the sums of the rows: bits depend neither on slabs nor on workers.

#include "codelets/device/threads.h"
#include "studies/fisher/args.h"
#include "studies/frame/dialect.h"

#if defined(__OPENCL_VERSION__)
#define QCD_FISHER_FN static inline
#define QCD_FISHER_MEET() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#else
#define QCD_FISHER_FN QCD_THREAD_FN
#define QCD_FISHER_MEET() QCD_BARRIER()
#endif

QCD_BEGIN

// ---- lanes: the threads of a group, 64 by 64, or all 64 by one core

QCD_FISHER_FN int fisher_lane(void) { return QCD_THREAD_ID() % QCD_FISHER_LANES; }
QCD_FISHER_FN int fisher_lanes_step(void)
{
    return QCD_THREADS() < QCD_FISHER_LANES ? QCD_THREADS() : QCD_FISHER_LANES;
}

/// The sum of 64 lanes, in part[0], by all threads of the group: this one has lane `first` and each
/// `step` lanes further.
QCD_FISHER_FN void fisher_add_lanes(QCD_LOCAL real* part, int first, int step)
{
    QCD_BARRIER();
    for (int near = QCD_FISHER_LANES / 2; near > 0; near /= 2) {
        for (int l = first; l < near; l += step) part[l] += part[l + near];
        QCD_BARRIER();
    }
}

QCD_FISHER_FN void fisher_clear_lanes(QCD_LOCAL real* part)
{
    for (int l = fisher_lane(); l < QCD_FISHER_LANES; l += fisher_lanes_step()) part[l] = 0;
}

/// The sum of a row, if it is one of `rows`.
QCD_FISHER_FN void fisher_keep_sum(QCD_LOCAL real* part, QCD_GLOBAL real* sums, int row, int rows)
{
    fisher_add_lanes(part, fisher_lane(), fisher_lanes_step());
    if (row < rows && fisher_lane() == 0) sums[row] = part[0];
    QCD_BARRIER();
}

// Columns x of a row, by lanes: QCD_FISHER_ROW(nx) { ... x, lane ... }
#define QCD_FISHER_ROW(nx)                                                                         \
    for (int x0 = 0; x0 < (nx); x0 += QCD_FISHER_LANES)                                            \
        for (int lane = fisher_lane(), x = x0 + lane; lane < QCD_FISHER_LANES && x < (nx);         \
             lane += fisher_lanes_step(), x += fisher_lanes_step())

// ---- what a cell is

/// L v, where nothing lies outside but what the arrays say; absent: 0.
QCD_FN real fisher_neighbours(QCD_GLOBAL const real* v, QCD_GLOBAL const real* above,
                              QCD_GLOBAL const real* below, int nx, int ny, int x, int y,
                              real left_edge, real right_edge, real above_edge, real below_edge)
{
    QCD_GLOBAL const real* own = v + y * nx + x;
    const real right = x + 1 < nx ? own[1] : right_edge, left = x > 0 ? own[-1] : left_edge,
               up = y + 1 < ny ? own[nx]
                    : above    ? above[x]
                               : above_edge,
               down = y > 0   ? own[-nx]
                      : below ? below[x]
                              : below_edge;
    return (right + left) + (up + down);
}

/// The diagonal of A.
QCD_FN real fisher_diagonal(real alpha, real beta, real u)
{
    return (4 + alpha) - beta * (1 - 2 * u);
}

QCD_FN real fisher_apply_cell(fisher_args a, fisher_apply_buffers f, int x, int y)
{
    const int at = y * a.nx + x;
    return QCD_STUDY_FMA(fisher_diagonal(a.alpha, a.beta, f.u[at]), f.p[at],
                         -fisher_neighbours(f.p, f.above, f.below, a.nx, a.ny, x, y, 0, 0, 0, 0));
}

// ---- the operations, a row each

QCD_FISHER_FN void fisher_residual_group(fisher_args a, fisher_residual_buffers f, int group,
                                         QCD_LOCAL real* part)
{
    const int y = a.first + group;
    fisher_clear_lanes(part);
    QCD_FISHER_ROW(a.nx)
    {
        const int at = y * a.nx + x;
        const real u = f.u[at],
                   around = fisher_neighbours(f.u, f.above, f.below, a.nx, a.ny, x, y, f.edge[0],
                                              f.edge[a.nx + 1], f.edge[x + 1], f.edge[x + 1]);
        const real r = around - (4 + a.alpha) * u + a.beta * (u * (1 - u)) + a.alpha * f.old[at];
        f.r[at] = r;
        f.p[at] = r;
        part[lane] = QCD_STUDY_FMA(r, r, part[lane]);
    }
    fisher_keep_sum(part, f.sums, y, a.ny);
}

/// What lanes add up of p A p in row y; nothing of one that is not there.
QCD_FISHER_FN void fisher_apply_row(fisher_args a, fisher_apply_buffers f, int y,
                                    QCD_LOCAL real* part)
{
    fisher_clear_lanes(part);
    QCD_FISHER_ROW(y < a.ny ? a.nx : 0)
    {
        const real ap = fisher_apply_cell(a, f, x, y);
        f.ap[y * a.nx + x] = ap;
        part[lane] = QCD_STUDY_FMA(f.p[y * a.nx + x], ap, part[lane]);
    }
}
QCD_FISHER_FN void fisher_apply_group(fisher_args a, fisher_apply_buffers f, int group,
                                      QCD_LOCAL real* part)
{
    fisher_apply_row(a, f, a.first + group, part);
    fisher_keep_sum(part, f.sums, a.first + group, a.ny);
}

/// Two neighbouring cells, and lanes, at a time, which share what they read of their row.
QCD_FISHER_FN void fisher_apply_wide_group(fisher_args a, fisher_apply_buffers f, int group,
                                           QCD_LOCAL real* part)
{
    const int y = a.first + group;
    const int inner = y > 0 && y + 1 < a.ny;
    fisher_clear_lanes(part);
    QCD_BARRIER(); // a thread's pair of lanes is not the lane that it has cleared
    for (int x0 = 0; x0 < a.nx; x0 += QCD_FISHER_LANES)
        for (int pair = fisher_lane(); 2 * pair < QCD_FISHER_LANES; pair += fisher_lanes_step()) {
            const int lane = 2 * pair, x = x0 + lane, at = y * a.nx + x;
            if (x >= a.nx) continue;
            if (inner && x > 0 && x + 2 < a.nx) {
                QCD_GLOBAL const real* p = f.p + at;
                const real p0 = p[-1], p1 = p[0], p2 = p[1], p3 = p[2];
                const real first = QCD_STUDY_FMA(fisher_diagonal(a.alpha, a.beta, f.u[at]), p1,
                                                 -((p2 + p0) + (p[a.nx] + p[-a.nx])));
                const real second = QCD_STUDY_FMA(fisher_diagonal(a.alpha, a.beta, f.u[at + 1]), p2,
                                                  -((p3 + p1) + (p[a.nx + 1] + p[-a.nx + 1])));
                f.ap[at] = first;
                f.ap[at + 1] = second;
                part[lane] = QCD_STUDY_FMA(p1, first, part[lane]);
                part[lane + 1] = QCD_STUDY_FMA(p2, second, part[lane + 1]);
            } else {
                for (int e = 0; e < 2 && x + e < a.nx; ++e) {
                    const real ap = fisher_apply_cell(a, f, x + e, y);
                    f.ap[at + e] = ap;
                    part[lane + e] = QCD_STUDY_FMA(f.p[at + e], ap, part[lane + e]);
                }
            }
        }
    fisher_keep_sum(part, f.sums, y, a.ny);
}

QCD_FISHER_FN void fisher_update_row(fisher_args a, fisher_update_buffers f, int y,
                                     QCD_LOCAL real* part)
{
    const real alpha = f.scalars->alpha;
    fisher_clear_lanes(part);
    QCD_FISHER_ROW(y < a.ny ? a.nx : 0)
    {
        const int at = y * a.nx + x;
        f.delta[at] = QCD_STUDY_FMA(alpha, f.p[at], f.delta[at]);
        const real r = QCD_STUDY_FMA(-alpha, f.ap[at], f.r[at]);
        f.r[at] = r;
        part[lane] = QCD_STUDY_FMA(r, r, part[lane]);
    }
}
QCD_FISHER_FN void fisher_update_group(fisher_args a, fisher_update_buffers f, int group,
                                       QCD_LOCAL real* part)
{
    fisher_update_row(a, f, a.first + group, part);
    fisher_keep_sum(part, f.sums, a.first + group, a.ny);
}

QCD_FISHER_FN void fisher_norm_group(fisher_args a, fisher_norm_buffers f, int group,
                                     QCD_LOCAL real* part)
{
    const int y = a.first + group;
    fisher_clear_lanes(part);
    QCD_FISHER_ROW(a.nx)
    part[lane] = QCD_STUDY_FMA(f.r[y * a.nx + x], f.r[y * a.nx + x], part[lane]);
    fisher_keep_sum(part, f.sums, y, a.ny);
}

/// Computes y + factor x where there are no scalars.
QCD_FN void fisher_axpy_cell(fisher_axpy_args a, fisher_axpy_buffers f, int x, int y)
{
    const int at = y * a.columns + x;
    const real factor = f.scalars ? a.factor * f.scalars->alpha : a.factor;
    f.y[at] = QCD_STUDY_FMA(factor, f.x[at], f.y[at]);
}

/// y <- x + beta y
QCD_FN void fisher_direction_cell(fisher_axpy_args a, fisher_axpy_buffers f, int x, int y)
{
    const int at = y * a.columns + x;
    f.y[at] = QCD_STUDY_FMA(f.scalars->beta, f.y[at], f.x[at]);
}

// ---- scalars

QCD_FN void fisher_step_scalars(QCD_GLOBAL fisher_scalars* s, int step, real sum, real tolerance)
{
    if (step == fisher_begin) {
        s->rr = s->first = sum;
        s->alpha = s->beta = s->iterations = 0;
        s->done = sum == 0;
    } else if (step == fisher_set_alpha) {
        s->alpha = s->done != 0 ? 0 : s->rr / sum;
    } else if (s->done == 0) {
        s->beta = sum / s->rr;
        s->rr = sum;
        s->iterations += 1;
        s->done = sum <= tolerance * tolerance * s->first;
    }
}

QCD_FISHER_FN void fisher_scalars_group(fisher_scalars_args a, fisher_scalars_buffers f, int group,
                                        QCD_LOCAL real* part)
{
    fisher_clear_lanes(part);
    for (int lane = fisher_lane(); lane < QCD_FISHER_LANES; lane += fisher_lanes_step()) {
        int from = 0; // the slab's first row
        for (int slab = 0; slab < a.slabs; ++slab) {
            const int skip = (lane - from % QCD_FISHER_LANES + QCD_FISHER_LANES) % QCD_FISHER_LANES;
            for (int row = skip; row < a.rows[slab]; row += QCD_FISHER_LANES)
                part[lane] += f.sums[slab][row];
            from += a.rows[slab];
        }
    }
    fisher_add_lanes(part, fisher_lane(), fisher_lanes_step());
    if (QCD_THREAD_ID() == 0) fisher_step_scalars(f.scalars, a.step, part[0], a.tolerance);
    QCD_BARRIER();
}

// ---- a whole solve by one group: 64 of its threads take a row, the others the next ones

QCD_FISHER_FN void fisher_scalars_of_whole(fisher_whole_args a, fisher_whole_buffers f, int step,
                                           QCD_LOCAL real* memory)
{
    QCD_FISHER_MEET(); // sums are there
    if (QCD_THREAD_ID() < QCD_FISHER_LANES) fisher_clear_lanes(memory);
    for (int lane = QCD_THREAD_ID(); lane < QCD_FISHER_LANES; lane += QCD_THREADS())
        for (int row = lane; row < a.ny; row += QCD_FISHER_LANES) memory[lane] += f.sums[row];
    fisher_add_lanes(memory, QCD_THREAD_ID(), QCD_THREADS());
    if (QCD_THREAD_ID() == 0) fisher_step_scalars(f.scalars, step, memory[0], a.tolerance);
    QCD_FISHER_MEET();
}

QCD_FISHER_FN void fisher_whole_group(fisher_whole_args a, fisher_whole_buffers f, int group,
                                      QCD_LOCAL real* memory)
{
    const int teams = QCD_THREADS() < QCD_FISHER_LANES ? 1 : QCD_THREADS() / QCD_FISHER_LANES,
              team = QCD_THREAD_ID() / QCD_FISHER_LANES,
              turns = (a.ny + teams - 1) / teams; // as many for each: they meet at barriers
    QCD_LOCAL real* part = memory + team * QCD_FISHER_LANES;
    const fisher_apply_buffers apply = {f.u, f.p, 0, 0, f.ap, f.sums};
    const fisher_update_buffers update = {f.scalars, f.p, f.ap, f.delta, f.r, f.sums};
    const fisher_args slab = {a.nx, a.ny, 0, a.ny, a.alpha, a.beta};
    fisher_scalars_of_whole(a, f, fisher_begin, memory);
    for (int k = 0; k < a.most_iterations && f.scalars->done == 0; ++k) {
        for (int turn = 0; turn < turns; ++turn) {
            fisher_apply_row(slab, apply, turn * teams + team, part);
            fisher_keep_sum(part, f.sums, turn * teams + team, a.ny);
        }
        fisher_scalars_of_whole(a, f, fisher_set_alpha, memory);
        for (int turn = 0; turn < turns; ++turn) {
            fisher_update_row(slab, update, turn * teams + team, part);
            fisher_keep_sum(part, f.sums, turn * teams + team, a.ny);
        }
        fisher_scalars_of_whole(a, f, fisher_set_beta, memory);
        const real beta = f.scalars->beta;
        for (int y = team; y < a.ny; y += teams) {
            QCD_FISHER_ROW(a.nx)
            f.p[y * a.nx + x] = QCD_STUDY_FMA(beta, f.p[y * a.nx + x], f.r[y * a.nx + x]);
        }
        QCD_FISHER_MEET();
    }
}

QCD_END

#pragma once
// A cell with four grains or more gives a quarter of them, rounded down, to each neighbour; what
// leaves the pile is lost.

#include "codelets/device/threads.h"
#include "studies/frame/dialect.h"
#include "studies/sandpile/args.h"

QCD_BEGIN

typedef struct {
    QCD_GLOBAL const int* u;
    QCD_GLOBAL const int* face0;
    QCD_GLOBAL const int* face1;
    QCD_GLOBAL const int* face2;
    QCD_GLOBAL const int* face3;
    QCD_GLOBAL int* next;
    QCD_GLOBAL int* unstable;
} pile_step_buffers;

typedef struct {
    QCD_GLOBAL const int* u;
    QCD_GLOBAL const int* ahead;
    QCD_GLOBAL const int* behind;
    QCD_GLOBAL int* next;
    QCD_GLOBAL int* unstable;
} pile_overlap_buffers;

typedef struct {
    QCD_GLOBAL int* u;
    QCD_GLOBAL int* in[4];
    QCD_GLOBAL int* out[4];
    QCD_GLOBAL int* report;
} pile_avalanche_buffers;

typedef int pile_overlap_local;
typedef int pile_avalanche_local;

/// What is left in a cell of `own` grains, and what it gets of its neighbours.
QCD_FN int pile_next(int own, int ahead_x, int behind_x, int ahead_y, int behind_y)
{
    return (own & 3) + (ahead_x >> 2) + (behind_x >> 2) + (ahead_y >> 2) + (behind_y >> 2);
}

// ---- synchronous, by who receives

enum { pile_step_margin = 1 };
QCD_FN int pile_step_columns(pile_step_args a) { return a.nx; }
QCD_FN int pile_step_rows(pile_step_args a) { return a.ny; }
QCD_FN int pile_step_inner_row(pile_step_args a, int y) { return y > 0 && y < a.ny - 1; }

QCD_FN void pile_step_set(pile_step_buffers f, int at, int grains)
{
    f.next[at] = grains;
    if (f.unstable && grains > 3) *f.unstable = 1;
}

QCD_FN void pile_step_inner(pile_step_args a, pile_step_buffers f, int x, int y)
{
    QCD_GLOBAL const int* u = f.u + y * a.nx + x;
    pile_step_set(f, y * a.nx + x, pile_next(u[0], u[1], u[-1], u[a.nx], u[-a.nx]));
}

QCD_FN void pile_step_cell(pile_step_args a, pile_step_buffers f, int x, int y)
{
    QCD_GLOBAL const int* u = f.u + y * a.nx + x;
    const int ahead_x = x + 1 < a.nx ? u[1] : f.face0 ? f.face0[y] : 0;
    const int behind_x = x > 0 ? u[-1] : f.face1 ? f.face1[y] : 0;
    const int ahead_y = y + 1 < a.ny ? u[a.nx] : f.face2 ? f.face2[x] : 0;
    const int behind_y = y > 0 ? u[-a.nx] : f.face3 ? f.face3[x] : 0;
    pile_step_set(f, y * a.nx + x, pile_next(u[0], ahead_x, behind_x, ahead_y, behind_y));
}

// ---- several synchronous sweeps of a block, from a halo as deep, in local memory

/// Is there a cell? Else it has no grains, ever: beyond the part only where faces came from.
QCD_FN int pile_overlap_there(pile_overlap_args a, pile_overlap_buffers f, int x, int y)
{
    return x >= 0 && x < a.nx && (y >= 0 || f.behind) && (y < a.ny || f.ahead);
}

QCD_FN int pile_overlap_load(pile_overlap_args a, pile_overlap_buffers f, int x, int y)
{
    if (!pile_overlap_there(a, f, x, y)) return 0;
    if (y < 0) return y < -a.sweeps ? 0 : f.behind[(y + a.sweeps) * a.nx + x];
    if (y >= a.ny) return y >= a.ny + a.sweeps ? 0 : f.ahead[(y - a.ny) * a.nx + x];
    return f.u[y * a.nx + x];
}

#if !defined(__OPENCL_VERSION__)
#define QCD_GROUP_FN QCD_THREAD_FN
#else
#define QCD_GROUP_FN static inline
#endif

QCD_GROUP_FN void pile_overlap_group(pile_overlap_args a, pile_overlap_buffers f, int group,
                                     QCD_LOCAL pile_overlap_local* memory)
{
    const int across = (a.nx + QCD_PILE_BLOCK - 1) / QCD_PILE_BLOCK,
              side = QCD_PILE_BLOCK + 2 * a.sweeps,
              left = group % across * QCD_PILE_BLOCK - a.sweeps,
              low = group / across * QCD_PILE_BLOCK - a.sweeps;
    QCD_LOCAL int* now = memory;
    QCD_LOCAL int* then = memory + side * side;
    for (int i = QCD_THREAD_ID(); i < side * side; i += QCD_THREADS())
        now[i] = pile_overlap_load(a, f, left + i % side, low + i / side);
    QCD_BARRIER();
    for (int s = 1; s <= a.sweeps; ++s) { // what is nearer to the end than s is not known any more
        const int width = side - 2 * s;
        for (int i = QCD_THREAD_ID(); i < width * width; i += QCD_THREADS()) {
            const int x = s + i % width, y = s + i / width, at = y * side + x;
            then[at] =
                pile_overlap_there(a, f, left + x, low + y)
                    ? pile_next(now[at], now[at + 1], now[at - 1], now[at + side], now[at - side])
                    : 0;
        }
        QCD_BARRIER();
        QCD_LOCAL int* swap = now;
        now = then;
        then = swap;
    }
    for (int i = QCD_THREAD_ID(); i < QCD_PILE_BLOCK * QCD_PILE_BLOCK; i += QCD_THREADS()) {
        const int in_x = i % QCD_PILE_BLOCK + a.sweeps, in_y = i / QCD_PILE_BLOCK + a.sweeps,
                  x = left + in_x, y = low + in_y;
        if (x >= a.nx || y >= a.ny) continue;
        const int grains = now[in_y * side + in_x];
        f.next[y * a.nx + x] = grains;
        if (f.unstable && grains > 3) *f.unstable = 1;
    }
    QCD_BARRIER();
}

// ---- a part by itself: what others have sent is taken, sweeps, what leaves is sent

/// Which cell of the border is cell i of face f.
QCD_FN int pile_border(pile_avalanche_args a, int f, int i)
{
    return f == 0   ? i * a.nx + a.nx - 1 // from ahead in x
           : f == 1 ? i * a.nx
           : f == 2 ? (a.ny - 1) * a.nx + i
                    : i;
}

/// By one group. Faces of `in` come from the part there, those of `out` go there.
QCD_GROUP_FN void pile_avalanche_group(pile_avalanche_args a, pile_avalanche_buffers f, int group,
                                       QCD_LOCAL pile_avalanche_local* memory)
{
    const int cells = a.nx * a.ny;
    QCD_LOCAL int* report = memory;
    QCD_LOCAL int* now = memory + pile_report_words;
    QCD_LOCAL int* then = now + cells;
    for (int i = QCD_THREAD_ID(); i < pile_report_words; i += QCD_THREADS()) report[i] = 0;
    for (int i = QCD_THREAD_ID(); i < cells; i += QCD_THREADS()) now[i] = f.u[i];
    QCD_BARRIER();
    for (int face = 0; face < 4; ++face) { // corners have two
        const int length = face < 2 ? a.ny : a.nx;
        for (int i = QCD_THREAD_ID(); f.in[face] && i < length; i += QCD_THREADS()) {
            now[pile_border(a, face, i)] += f.in[face][i];
            f.in[face][i] = 0;
        }
        QCD_BARRIER();
    }
    for (int s = 0; s < a.sweeps; ++s) {
        for (int i = QCD_THREAD_ID(); i < cells; i += QCD_THREADS()) {
            const int x = i % a.nx, y = i / a.nx;
            then[i] = pile_next(now[i], x + 1 < a.nx ? now[i + 1] : 0, x > 0 ? now[i - 1] : 0,
                                y + 1 < a.ny ? now[i + a.nx] : 0, y > 0 ? now[i - a.nx] : 0);
            if (then[i] > 3) report[pile_report_unstable] = s + 1;
        }
        for (int face = 0; face < 4; ++face) {
            const int length = face < 2 ? a.ny : a.nx;
            for (int i = QCD_THREAD_ID(); f.out[face] && i < length; i += QCD_THREADS()) {
                const int leaves = now[pile_border(a, face, i)] >> 2;
                if (leaves == 0) continue;
                f.out[face][i] += leaves;
                report[pile_report_sent + face] = 1;
            }
        }
        QCD_BARRIER();
        QCD_LOCAL int* swap = now;
        now = then;
        then = swap;
        if (report[pile_report_unstable] != s + 1) break; // in all threads
        QCD_BARRIER();
    }
    for (int i = QCD_THREAD_ID(); i < cells; i += QCD_THREADS()) {
        f.u[i] = now[i];
        if (now[i] > 3) report[pile_report_unstable] = -1; // still
    }
    QCD_BARRIER();
    for (int i = QCD_THREAD_ID(); i < pile_report_words; i += QCD_THREADS())
        f.report[i] = i == pile_report_unstable ? report[i] == -1 : report[i];
    QCD_BARRIER();
}

QCD_END

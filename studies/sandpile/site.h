#pragma once
// A cell with four grains or more gives a quarter of them, rounded down, to each neighbour; what
// leaves the pile is lost.

#include "codelets/device/threads.h"
#include "studies/frame/dialect.h"
#include "studies/sandpile/args.h"

QCD_BEGIN

/// What is left in a cell of `own` grains, and what it gets of its neighbours.
QCD_FN int pile_next(int own, int ahead_x, int behind_x, int ahead_y, int behind_y)
{
    return (own & 3) + (ahead_x >> 2) + (behind_x >> 2) + (ahead_y >> 2) + (behind_y >> 2);
}

// ---- synchronous, by who receives

QCD_FN void pile_step_cell(pile_step_args a, pile_step_buffers f, int x, int y)
{
    const int at = y * a.columns + x;
    QCD_GLOBAL const int* u = f.u + at;
    const int ahead_x = x + 1 < a.columns ? u[1] : f.faces[0] ? f.faces[0][y] : 0;
    const int behind_x = x > 0 ? u[-1] : f.faces[1] ? f.faces[1][y] : 0;
    const int ahead_y = y + 1 < a.rows ? u[a.columns] : f.faces[2] ? f.faces[2][x] : 0;
    const int behind_y = y > 0 ? u[-a.columns] : f.faces[3] ? f.faces[3][x] : 0;
    f.next[at] = pile_next(u[0], ahead_x, behind_x, ahead_y, behind_y);
    if (f.unstable && f.next[at] > 3) *f.unstable = a.look;
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

// Cells (x, y) of a rectangle, by all threads of a group; on cores row by row:
// QCD_PILE_CELLS(x0, nx, y0, ny) { ... x, y ... }
#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)
#define QCD_PILE_CELLS(x0, nx, y0, ny)                                                             \
    for (int i = QCD_THREAD_ID(), x, y;                                                            \
         i < (nx) * (ny) && (x = (x0) + i % (nx), y = (y0) + i / (nx), 1); i += QCD_THREADS())
#else
#define QCD_PILE_CELLS(x0, nx, y0, ny)                                                             \
    for (int y = (y0); y < (y0) + (ny); ++y)                                                       \
    _Pragma("GCC ivdep") for (int x = (x0); x < (x0) + (nx); ++x)
#endif

QCD_THREAD_FN void pile_overlap_group(pile_overlap_args a, pile_overlap_buffers f, int group,
                                      QCD_LOCAL int* memory)
{
    const int across = (a.nx + QCD_PILE_BLOCK - 1) / QCD_PILE_BLOCK,
              side = QCD_PILE_BLOCK + 2 * a.sweeps,
              left = group % across * QCD_PILE_BLOCK - a.sweeps,
              low = group / across * QCD_PILE_BLOCK - a.sweeps;
    QCD_LOCAL int* now = memory;
    QCD_LOCAL int* then = memory + side * side;
    QCD_PILE_CELLS(0, side, 0, side)
    now[y * side + x] = pile_overlap_load(a, f, left + x, low + y);
    QCD_BARRIER();
    for (int s = 1; s <= a.sweeps; ++s) { // what is nearer to the end than s is not known any more
        QCD_PILE_CELLS(s, side - 2 * s, s, side - 2 * s)
        {
            const int at = y * side + x, grains = pile_next(now[at], now[at + 1], now[at - 1],
                                                            now[at + side], now[at - side]);
            then[at] = pile_overlap_there(a, f, left + x, low + y) ? grains : 0;
        }
        QCD_BARRIER();
        QCD_LOCAL int* swap = now;
        now = then;
        then = swap;
    }
    const int x0 = left + a.sweeps, y0 = low + a.sweeps;
    int some = 0;
    QCD_PILE_CELLS(x0, a.nx - x0 < QCD_PILE_BLOCK ? a.nx - x0 : QCD_PILE_BLOCK, y0,
                   a.ny - y0 < QCD_PILE_BLOCK ? a.ny - y0 : QCD_PILE_BLOCK)
    {
        const int grains = now[(y - low) * side + x - left];
        f.next[y * a.nx + x] = grains;
        some |= grains > 3;
    }
    if (f.unstable && some) *f.unstable = a.look;
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

/// One group computes a part. Faces of `in` come from the part there, those of `out` go there.
QCD_THREAD_FN void pile_avalanche_group(pile_avalanche_args a, pile_avalanche_buffers f, int group,
                                        QCD_LOCAL int* memory)
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
        int some = 0;
        QCD_PILE_CELLS(0, a.nx, 0, a.ny)
        {
            const int at = y * a.nx + x;
            then[at] = pile_next(now[at], x + 1 < a.nx ? now[at + 1] : 0, x > 0 ? now[at - 1] : 0,
                                 y + 1 < a.ny ? now[at + a.nx] : 0, y > 0 ? now[at - a.nx] : 0);
            some |= then[at] > 3;
        }
        if (some) report[pile_report_unstable] = s + 1;
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

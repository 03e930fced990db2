#pragma once
// Leapfrog: after <- 2 u - before + (c dt / h)^2 L u, with L of 13 points: of each direction two
// neighbours either way, of fourth order.

#include "studies/frame/dialect.h"
#include "studies/wave/args.h"

QCD_BEGIN

typedef struct {
    QCD_GLOBAL const real* u;
    QCD_GLOBAL const real* face[6];
    QCD_GLOBAL real* before; // and after
} wave_buffers;

typedef wave_args wave_plain_args;
typedef wave_args wave_vector_args;
typedef wave_buffers wave_plain_buffers;
typedef wave_buffers wave_vector_buffers;

typedef struct {
    int n[3];
    double unused;
} wave_copy_args;
typedef struct {
    QCD_GLOBAL const real* from;
    QCD_GLOBAL real* to;
} wave_copy_buffers;

/// The sums of near neighbours are those at a distance of one and of two, by direction.
QCD_FN real wave_after(real courant2, real own, real before, real near_x, real near_y, real near_z,
                       real far_x, real far_y, real far_z)
{
    const real near_weight = 4.0 / 3.0, far_weight = -1.0 / 12.0, own_weight = -7.5;
    const real far_sum = (far_x + far_y) + far_z, near_sum = (near_x + near_y) + near_z;
    const real laplacian =
        QCD_STUDY_FMA(near_weight, near_sum, QCD_STUDY_FMA(far_weight, far_sum, own_weight * own));
    return QCD_STUDY_FMA(courant2, laplacian, QCD_STUDY_FMA(2.0, own, -before));
}

/// Cell (x, y, z), of which one direction may lie up to two cells outside: there it is in a face,
/// or, in a ring that is not cut, at the other end.
QCD_FN real wave_at(wave_args a, wave_buffers f, int x, int y, int z)
{
    const int layers = QCD_WAVE_LAYERS, nx = a.n[0], ny = a.n[1], nz = a.n[2];
    if (x >= nx) {
        if (f.face[0]) return f.face[0][(z * ny + y) * layers + x - nx];
        x = (x - nx) % nx;
    } else if (x < 0) {
        if (f.face[1]) return f.face[1][(z * ny + y) * layers + x + layers];
        x = (x + layers * nx) % nx;
    } else if (y >= ny) {
        if (f.face[2]) return f.face[2][(z * layers + y - ny) * nx + x];
        y = (y - ny) % ny;
    } else if (y < 0) {
        if (f.face[3]) return f.face[3][(z * layers + y + layers) * nx + x];
        y = (y + layers * ny) % ny;
    } else if (z >= nz) {
        if (f.face[4]) return f.face[4][((z - nz) * ny + y) * nx + x];
        z = (z - nz) % nz;
    } else if (z < 0) {
        if (f.face[5]) return f.face[5][((z + layers) * ny + y) * nx + x];
        z = (z + layers * nz) % nz;
    }
    return f.u[(z * ny + y) * nx + x];
}

/// Any cell of row (y, z).
QCD_FN void wave_general(wave_args a, wave_buffers f, int x, int row)
{
    const int y = row % a.n[1], z = row / a.n[1], at = row * a.n[0] + x;
    f.before[at] = wave_after(a.courant2, f.u[at], f.before[at],
                              wave_at(a, f, x + 1, y, z) + wave_at(a, f, x - 1, y, z),
                              wave_at(a, f, x, y + 1, z) + wave_at(a, f, x, y - 1, z),
                              wave_at(a, f, x, y, z + 1) + wave_at(a, f, x, y, z - 1),
                              wave_at(a, f, x + 2, y, z) + wave_at(a, f, x - 2, y, z),
                              wave_at(a, f, x, y + 2, z) + wave_at(a, f, x, y - 2, z),
                              wave_at(a, f, x, y, z + 2) + wave_at(a, f, x, y, z - 2));
}

/// One whose neighbours all are in the part.
QCD_FN void wave_inside(wave_args a, wave_buffers f, int x, int row)
{
    const int line = a.n[0], plane = a.n[0] * a.n[1], at = row * line + x;
    QCD_GLOBAL const real* u = f.u + at;
    f.before[at] = wave_after(a.courant2, u[0], f.before[at], u[1] + u[-1], u[line] + u[-line],
                              u[plane] + u[-plane], u[2] + u[-2], u[2 * line] + u[-2 * line],
                              u[2 * plane] + u[-2 * plane]);
}

QCD_FN int wave_inner_row(wave_args a, int row)
{
    const int y = row % a.n[1], z = row / a.n[1], layers = QCD_WAVE_LAYERS;
    return y >= layers && y < a.n[1] - layers && z >= layers && z < a.n[2] - layers;
}

// ---- plain: a cell an item

enum { wave_plain_margin = QCD_WAVE_LAYERS };
QCD_FN int wave_plain_columns(wave_args a) { return a.n[0]; }
QCD_FN int wave_plain_rows(wave_args a) { return a.n[1] * a.n[2]; }
QCD_FN int wave_plain_inner_row(wave_args a, int row) { return wave_inner_row(a, row); }
QCD_FN void wave_plain_cell(wave_args a, wave_buffers f, int x, int row)
{
    wave_general(a, f, x, row);
}
QCD_FN void wave_plain_inner(wave_args a, wave_buffers f, int x, int row)
{
    wave_inside(a, f, x, row);
}

// ---- vector: on devices two cells of a row an item, which share what they read of it; on cores
// registers of the instruction set

enum { wave_vector_margin = 1 }; // items
QCD_FN int wave_vector_columns(wave_args a) { return (a.n[0] + QCD_WAVE_WIDE - 1) / QCD_WAVE_WIDE; }
QCD_FN int wave_vector_rows(wave_args a) { return a.n[1] * a.n[2]; }
QCD_FN int wave_vector_inner_row(wave_args a, int row)
{
    return wave_inner_row(a, row) && a.n[0] % QCD_WAVE_WIDE == 0;
}
QCD_FN void wave_vector_cell(wave_args a, wave_buffers f, int item, int row)
{
    for (int e = 0; e < QCD_WAVE_WIDE; ++e)
        if (QCD_WAVE_WIDE * item + e < a.n[0]) wave_general(a, f, QCD_WAVE_WIDE * item + e, row);
}
QCD_FN void wave_vector_inner(wave_args a, wave_buffers f, int item, int row)
{
    const int line = a.n[0], plane = a.n[0] * a.n[1], at = row * line + QCD_WAVE_WIDE * item;
    QCD_GLOBAL const real* u = f.u + at;
    const real x0 = u[-2], x1 = u[-1], x2 = u[0], x3 = u[1], x4 = u[2], x5 = u[3];
    const real first =
        wave_after(a.courant2, x2, f.before[at], x3 + x1, u[line] + u[-line], u[plane] + u[-plane],
                   x4 + x0, u[2 * line] + u[-2 * line], u[2 * plane] + u[-2 * plane]);
    const real second =
        wave_after(a.courant2, x3, f.before[at + 1], x4 + x2, u[line + 1] + u[-line + 1],
                   u[plane + 1] + u[-plane + 1], x5 + x1, u[2 * line + 1] + u[-2 * line + 1],
                   u[2 * plane + 1] + u[-2 * plane + 1]);
    f.before[at] = first;
    f.before[at + 1] = second;
}

// ---- the yardstick

QCD_FN int wave_copy_columns(wave_copy_args a) { return a.n[0]; }
QCD_FN int wave_copy_rows(wave_copy_args a) { return a.n[1] * a.n[2]; }
QCD_FN void wave_copy_cell(wave_copy_args a, wave_copy_buffers f, int x, int row)
{
    f.to[row * a.n[0] + x] = f.from[row * a.n[0] + x];
}

QCD_END

#pragma once
// Leapfrog: after <- 2 u - before + (c dt / h)^2 L u, with L of 13 points: of each direction two
// neighbours either way, of fourth order.

#include "codelets/device/threads.h"
#include "studies/frame/dialect.h"
#include "studies/wave/args.h"

QCD_BEGIN

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

/// Cell i of a ring of n.
QCD_FN int wave_wrap(int i, int n)
{
    while (i >= n) i -= n;
    while (i < 0) i += n;
    return i;
}

/// Cells over each other in z: at[0] in layer 0, at[step] in layer 1.
typedef struct {
    QCD_GLOBAL const real* at;
    int step;
} wave_column;

/// Column (x, y), of which one may lie up to two cells outside: there it is in a face, or, in a
/// ring that is not cut, at the other end.
QCD_FN wave_column wave_column_at(wave_args a, wave_buffers f, int x, int y)
{
    const int layers = QCD_WAVE_LAYERS, nx = a.n[0], ny = a.n[1];
    wave_column c = {f.u, nx * ny};
    if (x >= nx && f.faces[0]) {
        c.at = f.faces[0] + y * layers + x - nx;
        c.step = ny * layers;
    } else if (x < 0 && f.faces[1]) {
        c.at = f.faces[1] + y * layers + x + layers;
        c.step = ny * layers;
    } else if (y >= ny && f.faces[2]) {
        c.at = f.faces[2] + (y - ny) * nx + x;
        c.step = layers * nx;
    } else if (y < 0 && f.faces[3]) {
        c.at = f.faces[3] + (y + layers) * nx + x;
        c.step = layers * nx;
    } else {
        c.at = f.u + wave_wrap(y, ny) * nx + wave_wrap(x, nx);
    }
    return c;
}

/// Layer z, which may lie up to two outside.
QCD_FN QCD_GLOBAL const real* wave_layer(wave_args a, wave_buffers f, int z)
{
    const int nz = a.n[2], cells = a.n[0] * a.n[1];
    if (z >= nz && f.faces[4]) return f.faces[4] + (z - nz) * cells;
    if (z < 0 && f.faces[5]) return f.faces[5] + (z + QCD_WAVE_LAYERS) * cells;
    return f.u + wave_wrap(z, nz) * cells;
}

QCD_FN real wave_in_column(wave_column c, int z) { return c.at[z * c.step]; }

/// The sum of cells at (+-x, +-y) of column (at_x, at_y), in layer z.
QCD_FN real wave_pair(wave_args a, wave_buffers f, int at_x, int at_y, int z, int x, int y)
{
    return wave_in_column(wave_column_at(a, f, at_x + x, at_y + y), z) +
           wave_in_column(wave_column_at(a, f, at_x - x, at_y - y), z);
}

/// Any cell of row (y, z): version plain.
QCD_FN void wave_plain_cell(wave_args a, wave_buffers f, int x, int row)
{
    const int y = row % a.n[1], z = row / a.n[1], in_layer = y * a.n[0] + x, at = row * a.n[0] + x;
    f.before[at] =
        wave_after(a.courant2, f.u[at], f.before[at], wave_pair(a, f, x, y, z, 1, 0),
                   wave_pair(a, f, x, y, z, 0, 1),
                   wave_layer(a, f, z + 1)[in_layer] + wave_layer(a, f, z - 1)[in_layer],
                   wave_pair(a, f, x, y, z, 2, 0), wave_pair(a, f, x, y, z, 0, 2),
                   wave_layer(a, f, z + 2)[in_layer] + wave_layer(a, f, z - 2)[in_layer]);
}

// ---- vector, on devices: a thread goes along a column of cells, of which it holds five. Which
// columns are beside it is found once, and no thread of a warp does other work than the others.

#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)

QCD_THREAD_FN void wave_vector_group(wave_args a, wave_buffers f, int group, QCD_LOCAL real* none)
{
    const int across = (a.n[0] + QCD_WAVE_WIDE - 1) / QCD_WAVE_WIDE,
              along = (a.n[1] + QCD_WAVE_HIGH - 1) / QCD_WAVE_HIGH,
              x = group % across * QCD_WAVE_WIDE + QCD_THREAD_ID() % QCD_WAVE_WIDE,
              y = group / across % along * QCD_WAVE_HIGH + QCD_THREAD_ID() / QCD_WAVE_WIDE,
              first = group / across / along * QCD_WAVE_DEEP, own = y * a.n[0] + x,
              end = first + QCD_WAVE_DEEP < a.n[2] ? first + QCD_WAVE_DEEP : a.n[2];
    if (x >= a.n[0] || y >= a.n[1]) return;
    const wave_column ahead_x = wave_column_at(a, f, x + 1, y),
                      behind_x = wave_column_at(a, f, x - 1, y),
                      ahead_y = wave_column_at(a, f, x, y + 1),
                      behind_y = wave_column_at(a, f, x, y - 1),
                      far_ahead_x = wave_column_at(a, f, x + 2, y),
                      far_behind_x = wave_column_at(a, f, x - 2, y),
                      far_ahead_y = wave_column_at(a, f, x, y + 2),
                      far_behind_y = wave_column_at(a, f, x, y - 2);
    real far_below = wave_layer(a, f, first - 2)[own], below = wave_layer(a, f, first - 1)[own],
         u = wave_layer(a, f, first)[own], above = wave_layer(a, f, first + 1)[own];
    for (int z = first; z < end; ++z) {
        const real far_above = wave_layer(a, f, z + 2)[own];
        QCD_GLOBAL real* before = f.before + z * (a.n[0] * a.n[1]) + own;
        *before = wave_after(
            a.courant2, u, *before, wave_in_column(ahead_x, z) + wave_in_column(behind_x, z),
            wave_in_column(ahead_y, z) + wave_in_column(behind_y, z), above + below,
            wave_in_column(far_ahead_x, z) + wave_in_column(far_behind_x, z),
            wave_in_column(far_ahead_y, z) + wave_in_column(far_behind_y, z),
            far_above + far_below);
        far_below = below;
        below = u;
        u = above;
        above = far_above;
    }
}

#endif

// ---- the yardstick

QCD_FN void wave_copy_cell(wave_args a, wave_copy_buffers f, int x, int row)
{
    f.to[row * a.columns + x] = f.from[row * a.columns + x];
}

QCD_END

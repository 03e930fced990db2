#pragma once
// Every element of C adds its products in the order of k, each rounded once: the bits are the same
// in all versions, on all workers.

#include "codelets/device/threads.h"
#include "studies/frame/dialect.h"
#include "studies/matmul/args.h"

QCD_BEGIN

/// Element of column x and row y.
QCD_FN void matmul_element(matmul_args a, matmul_buffers f, int x, int y)
{
    real sum = f.c[y * a.n + x];
    for (int k = 0; k < a.k; ++k) sum = QCD_STUDY_FMA(f.a[y * a.k + k], f.b[k * a.n + x], sum);
    f.c[y * a.n + x] = sum;
}

QCD_FN void matmul_pad_cell(matmul_pad_args a, matmul_pad_buffers f, int x, int y)
{
    f.to[y * a.columns + x] =
        x < a.from_columns && y < a.from_rows ? f.from[y * a.from_columns + x] : 0;
}

QCD_END

#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)

QCD_BEGIN

/// How many squares of this side an extent has.
QCD_FN int matmul_squares(int extent, int side) { return (extent + side - 1) / side; }

/// Version blocks: a thread for each element, in blocks of 16 x 16.
QCD_THREAD_FN void matmul_blocks_group(matmul_args a, matmul_buffers f, int group,
                                       QCD_LOCAL real* memory)
{
    (void)memory;
    const int across = matmul_squares(a.n, QCD_MATMUL_SQUARE), thread = QCD_THREAD_ID(),
              x = group % across * QCD_MATMUL_SQUARE + thread % QCD_MATMUL_SQUARE,
              y = group / across * QCD_MATMUL_SQUARE + thread / QCD_MATMUL_SQUARE;
    if (x < a.n && y < a.m) matmul_element(a, f, x, y);
}

/// Version shared: the same, from tiles of A and B of 16 x 16 that the group has copied.
QCD_THREAD_FN void matmul_shared_group(matmul_args a, matmul_buffers f, int group,
                                       QCD_LOCAL real* memory)
{
    const int side = QCD_MATMUL_SQUARE, across = matmul_squares(a.n, side),
              thread = QCD_THREAD_ID(), tx = thread % side, ty = thread / side,
              x = group % across * side + tx, y = group / across * side + ty;
    QCD_LOCAL real* tile_a = memory;
    QCD_LOCAL real* tile_b = memory + side * side;
    const int inside = x < a.n && y < a.m;
    real sum = inside ? f.c[y * a.n + x] : 0;
    for (int k = 0; k < a.k; k += side) {
        tile_a[thread] = y < a.m && k + tx < a.k ? f.a[y * a.k + k + tx] : 0;
        tile_b[thread] = x < a.n && k + ty < a.k ? f.b[(k + ty) * a.n + x] : 0;
        QCD_BARRIER();
        const int depth = a.k - k < side ? a.k - k : side;
        for (int i = 0; i < depth; ++i)
            sum = QCD_STUDY_FMA(tile_a[ty * side + i], tile_b[i * side + tx], sum);
        QCD_BARRIER();
    }
    if (inside) f.c[y * a.n + x] = sum;
}

/// Version four: 64 x 64 elements by 64 x 16 threads, four of a column each, 16 rows apart. Both
/// tiles are filled, each by all threads. checked: rows, columns and depth may end within a tile.
QCD_THREAD_FN void matmul_four(const int checked, matmul_args a, matmul_buffers f, int group,
                               QCD_LOCAL real* memory)
{
    const int side = QCD_MATMUL_SIDE, depth = QCD_MATMUL_DEPTH, apart = side / QCD_MATMUL_EACH,
              across = matmul_squares(a.n, side), thread = QCD_THREAD_ID(), tx = thread % side,
              ty = thread / side, left = group % across * side, top = group / across * side,
              x = left + tx;
    QCD_LOCAL real* tile_a = memory;                // side rows of depth
    QCD_LOCAL real* tile_b = memory + side * depth; // depth rows of side
    real sum[QCD_MATMUL_EACH];
    for (int e = 0; e < QCD_MATMUL_EACH; ++e) {
        const int y = top + ty + apart * e;
        sum[e] = !checked || (x < a.n && y < a.m) ? f.c[y * a.n + x] : 0;
    }
    for (int k = 0; k < a.k; k += depth) {
        for (int i = thread; i < side * depth; i += side * apart) {
            const int ya = top + i / depth, xa = k + i % depth, yb = k + i / side,
                      xb = left + i % side;
            tile_a[i] = !checked || (ya < a.m && xa < a.k) ? f.a[ya * a.k + xa] : 0;
            tile_b[i] = !checked || (yb < a.k && xb < a.n) ? f.b[yb * a.n + xb] : 0;
        }
        QCD_BARRIER();
        const int end = checked && a.k - k < depth ? a.k - k : depth;
        for (int i = 0; i < end; ++i) {
            const real b = tile_b[i * side + tx];
            for (int e = 0; e < QCD_MATMUL_EACH; ++e)
                sum[e] = QCD_STUDY_FMA(tile_a[(ty + apart * e) * depth + i], b, sum[e]);
        }
        QCD_BARRIER();
    }
    for (int e = 0; e < QCD_MATMUL_EACH; ++e) {
        const int y = top + ty + apart * e;
        if (!checked || (x < a.n && y < a.m)) f.c[y * a.n + x] = sum[e];
    }
}
QCD_THREAD_FN void matmul_four_group(matmul_args a, matmul_buffers f, int group,
                                     QCD_LOCAL real* memory)
{
    matmul_four(1, a, f, group, memory);
}
QCD_THREAD_FN void matmul_padded_group(matmul_args a, matmul_buffers f, int group,
                                       QCD_LOCAL real* memory)
{
    matmul_four(0, a, f, group, memory);
}

QCD_END

#endif

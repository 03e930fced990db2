#pragma once
// Which thread (or work) group of a GPU computes which blocks of a hop. A brick is a box of
// neighbouring blocks, one a warp, which share spinors in the first cache: the hop is bound by what
// the second one delivers (docs/lab/ideas-gpu.md). Bricks follow each other in x, y, z, t, but z
// goes in chunks, so that the spinors of three time slices of a chunk stay in the second cache.

#include "codelets/hopping/parts.h"

// OpenCL's brick has 2x2 blocks in x and y. CUDA's follows from the tile (hop_brick() in
// hop_kinds.hpp).
#define QCD_BRICK 2
#define QCD_BRICK_BLOCKS (QCD_BRICK * QCD_BRICK)
#define QCD_MOST_WARPS 16 // of a thread block

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    block_box box;        // of the tile's blocks
    int extent[4];        // blocks of a brick
    int inverse[3];       // 256 / extent, rounded up: divides what is below 16 by a multiplication
    int x, y, z_chunk, t; // bricks in x, y, a chunk of z, and t
    int all;              // with those that reach over the end of the last chunk
    int downwards;        // 1: numbered from the last one
    unsigned shares[4];   // 2^31 / (x, y, z_chunk, t), rounded up
} hopping_bricks;

QCD_FN int parts_of(int n, int size) { return (n + size - 1) / size; }
QCD_FN unsigned share_of(int n) { return (0x80000000u + (unsigned)n - 1) / (unsigned)n; }

/// a / n, 0 <= a, share = share_of(n). A GPU divides in 25 instructions, with a latency that no
/// other warp hides before the first loads.
QCD_FN int quotient(int a, int n, unsigned share)
{
#ifdef __OPENCL_VERSION__ // there every thread would have to divide for the share
    return a / n;
#else
    const int q = (int)((u64)a * share >> 31); // at most one too large
    return q - ((unsigned)q * (unsigned)n > (unsigned)a);
#endif
}

/// Bricks of x*y*z*t blocks of a box, at most QCD_MOST_WARPS; z_chunk: planes of blocks.
QCD_FN hopping_bricks bricks_of(block_box box, int x, int y, int z, int t, int z_chunk)
{
    hopping_bricks n;
    n.extent[0] = x;
    n.extent[1] = y;
    n.extent[2] = z;
    n.extent[3] = t;
    for (int mu = 0; mu < 3; ++mu) n.inverse[mu] = parts_of(256, n.extent[mu]);
    n.box = box;
    n.x = parts_of(box.count[0], x);
    n.y = parts_of(box.count[1], y);
    n.z_chunk = parts_of(z_chunk, z);
    n.t = parts_of(box.count[3], t);
    n.all = n.x * n.y * n.t * parts_of(parts_of(box.count[2], z), n.z_chunk) * n.z_chunk;
    n.downwards = 0;
    n.shares[0] = share_of(n.x);
    n.shares[1] = share_of(n.y);
    n.shares[2] = share_of(n.z_chunk);
    n.shares[3] = share_of(n.t);
    return n;
}

/// The block of one warp of a brick, counted from the box's first one; there is none where a brick
/// reaches over the box's end.
QCD_FN block_place place_in_brick(hopping_bricks n, int brick, int warp)
{
    if (n.downwards) brick = n.all - 1 - brick;
    const int rows = warp * n.inverse[0] >> 8; // warp / extent[0]
    const int planes = rows * n.inverse[1] >> 8;
    const int slices = planes * n.inverse[2] >> 8;
    const int lines = quotient(brick, n.x, n.shares[0]); // of bricks
    const int sheets = quotient(lines, n.y, n.shares[1]);
    const int chunks = quotient(sheets, n.z_chunk, n.shares[2]);
    const int chunk = quotient(chunks, n.t, n.shares[3]);
    block_place p;
    p.i[0] = (brick - lines * n.x) * n.extent[0] + warp - rows * n.extent[0];
    p.i[1] = (lines - sheets * n.y) * n.extent[1] + rows - planes * n.extent[1];
    p.i[2] = (sheets + (chunk - chunks) * n.z_chunk) * n.extent[2] + planes - slices * n.extent[2];
    p.i[3] = (chunks - chunk * n.t) * n.extent[3] + slices;
    return p;
}
QCD_FN int is_block(hopping_bricks n, block_place p)
{
    return p.i[0] < n.box.count[0] && p.i[1] < n.box.count[1] && p.i[2] < n.box.count[2] &&
           p.i[3] < n.box.count[3];
}
/// The place in the tile.
QCD_FN block_place place_in_box(block_box b, block_place p)
{
    for (int mu = 0; mu < 4; ++mu) p.i[mu] += b.first[mu];
    return p;
}

#ifdef __cplusplus
} // namespace qcd
#endif

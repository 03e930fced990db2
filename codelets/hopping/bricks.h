#pragma once
// Which thread (or work) group of a GPU computes which blocks of a hop. A brick is 2x2 neighbouring
// blocks in x and y, which share spinors in the first cache: the hop is bound by what the second
// one delivers (docs/measurements.md). Bricks follow each other in x, y, z, t, but z goes in
// chunks, so that the spinors of three time slices of a chunk stay in the second cache.

#include "codelets/device/shape.h"

#define QCD_BRICK 2
#define QCD_BRICK_BLOCKS (QCD_BRICK * QCD_BRICK)

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int x, y, z_chunk; // bricks in x and y, planes in a chunk of z
    int all;           // with those that reach over the end of the last chunk
} hopping_bricks;

QCD_FN hopping_bricks bricks_of(tile_shape g, int z_chunk)
{
    hopping_bricks n;
    n.x = (g.m[0] + QCD_BRICK - 1) / QCD_BRICK;
    n.y = (g.m[1] + QCD_BRICK - 1) / QCD_BRICK;
    n.z_chunk = z_chunk;
    n.all = n.x * n.y * g.m[3] * ((g.m[2] + z_chunk - 1) / z_chunk * z_chunk);
    return n;
}

/// The block of one warp of a brick; there is none where a brick reaches over the tile's end.
QCD_FN block_place place_in_brick(tile_shape g, hopping_bricks n, int brick, int warp)
{
    block_place p;
    p.i[0] = brick % n.x * QCD_BRICK + warp % QCD_BRICK;
    brick /= n.x;
    p.i[1] = brick % n.y * QCD_BRICK + warp / QCD_BRICK;
    brick /= n.y;
    const int z = brick % n.z_chunk;
    brick /= n.z_chunk;
    p.i[2] = brick / g.m[3] * n.z_chunk + z;
    p.i[3] = brick % g.m[3];
    return p;
}
QCD_FN int is_block(tile_shape g, block_place p)
{
    return p.i[0] < g.m[0] && p.i[1] < g.m[1] && p.i[2] < g.m[2];
}

#ifdef __cplusplus
} // namespace qcd
#endif

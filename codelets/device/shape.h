#pragma once
// How the sites of one parity of a tile lie in memory.
//
// A tile of l0 x l1 x l2 x l3 sites (all even) holds, of one parity, h0 x l1 x l2 x l3 sites, h0 =
// l0/2: the site in column h of row (y,z,t) has x = 2h + rho, rho = (y+z+t+parity) mod 2. Each
// extent is cut into k_mu equal parts of m_mu columns or rows, k_mu = 1, 2 or 4, or 8 in t; the
// sites at the same place of all K = k0 k1 k2 k3 <= 32 parts share a block, one lane each:
//     lane bits of direction mu: mask[mu], starting at bit[mu];   block = ((i3*m2 + i2)*m1 + i1)*m0
//     + i0
// so a step in any direction goes to the same lane of another block, except from the last (first)
// of the m_mu blocks, where it goes to the next (previous) part: the same permutation of lanes for
// the whole block. A part's number stands in its lane bits backwards, highest bit lowest: counting
// on then changes the bits that number a CPU's registers before those inside of one, and the same
// for all lanes of a register, so that these come from one register, whatever its width. Where m1,
// m2 and m3 are even, rho is the same in all lanes of a block; else some have the other one
// (other_rows), and steps in x take them to another block. Lanes K..31 are padding and hold 0.
//
// A field of n complex components keeps each of a block's 2n rows (row = 2*component + (0: re, 1:
// im)) in pieces of 128 bytes, V = QCD_ROW lanes, and all rows of one piece together:
//     f[((block*(32/V) + lane/V)*2n + row)*V + lane%V]
// so a CPU register is a part of a piece, and a warp reads whole lines of a GPU's caches. Links:
// the four directions one after the other, each a field of 9 components (or 6 or 4: link.h). In 16
// bits a row is that of a component, a word of 32 bits in each lane, and spinors have one more, of
// floats (fixed.h).

#include "codelets/device/args.h"
#include "codelets/device/lang.h"

#define QCD_LANES 32
#define QCD_PIECE_BYTES 128
#define QCD_SPINOR_ROWS 24 // spin, colour, re/im
#define QCD_HALF_ROWS 12   // projected spin, colour, re/im
#define QCD_CLOVER_ROWS 72 // of two Hermitian 6x6 matrices (clover.h)
#ifdef QCD_PRECISION
#define QCD_ROW (8 * QCD_PIECE_BYTES / QCD_WORD_BITS) // lanes in a piece of a row
// Rows of `real` as spinors and links are stored.
#if QCD_REAL_BITS == 16
#define QCD_COMPLEX_ROWS 1
#define QCD_STORED_SPINOR_ROWS 13
#else
#define QCD_COMPLEX_ROWS 2
#define QCD_STORED_SPINOR_ROWS QCD_SPINOR_ROWS
#endif
#define QCD_STORED_LINK_ROWS (QCD_LINK_ROWS / 2 * QCD_COMPLEX_ROWS)
#endif

QCD_PLAIN_BEGIN

typedef struct {
    int i[4];
} block_place;

QCD_FN int block_number(tile_shape g, block_place p)
{
    return ((p.i[3] * g.m[2] + p.i[2]) * g.m[1] + p.i[1]) * g.m[0] + p.i[0];
}

QCD_FN block_place place_of_block(tile_shape g, int block)
{
    block_place p;
    p.i[0] = block % g.m[0];
    block /= g.m[0];
    p.i[1] = block % g.m[1];
    block /= g.m[1];
    p.i[2] = block % g.m[2];
    p.i[3] = block / g.m[2];
    return p;
}

#if !defined(__OPENCL_VERSION__) && !defined(__CUDACC__)
/// K: lanes that hold sites, the first ones.
QCD_FN int lanes_in_use(tile_shape g)
{
    return 1 + (g.mask[0] | g.mask[1] | g.mask[2] | g.mask[3]);
}
#endif

/// Do this lane's rows have the opposite of row_offset()?
QCD_FN int has_other_rows(tile_shape g, int lane) { return (int)(g.other_rows >> lane & 1); }

/// rho of the rows of a block, for sites of this parity.
QCD_FN int row_offset(block_place p, int parity) { return (p.i[1] + p.i[2] + p.i[3] + parity) & 1; }

/// A neighbouring block, and whether the step left the part (then lanes rotate, or a face is read).
typedef struct {
    int block;
    int crosses;
} block_step;

/// Step of a site of this parity in direction mu, forward (sign = +1) or backward (-1). Lanes that
/// have other rows make that of the other parity; only in x there is a difference.
/// In x a row of offset rho moves to the next column only when x and x+sign lie in different
/// columns.
QCD_FN block_step neighbour_block(tile_shape g, block_place p, int parity, int mu, int sign)
{
    block_step s;
    const int moves = mu != 0 || row_offset(p, parity) == (sign > 0 ? 1 : 0);
    const int last = sign > 0 ? g.m[mu] - 1 : 0;
    s.crosses = moves && p.i[mu] == last;
    if (s.crosses)
        p.i[mu] = g.m[mu] - 1 - last;
    else if (moves)
        p.i[mu] += sign;
    s.block = block_number(g, p);
    return s;
}

/// The neighbouring blocks in all eight directions.
typedef struct {
    block_step forward[4], backward[4];
} block_steps;

QCD_FN block_steps neighbour_blocks(tile_shape g, block_place p, int parity)
{
    block_steps s;
    s.forward[0] = neighbour_block(g, p, parity, 0, +1);
    s.backward[0] = neighbour_block(g, p, parity, 0, -1);
    s.forward[1] = neighbour_block(g, p, parity, 1, +1);
    s.backward[1] = neighbour_block(g, p, parity, 1, -1);
    s.forward[2] = neighbour_block(g, p, parity, 2, +1);
    s.backward[2] = neighbour_block(g, p, parity, 2, -1);
    s.forward[3] = neighbour_block(g, p, parity, 3, +1);
    s.backward[3] = neighbour_block(g, p, parity, 3, -1);
    return s;
}

/// The lane that holds the neighbour of `lane` after a crossing step: its lane bits, read
/// backwards, are one more (less).
QCD_FN int neighbour_lane(tile_shape g, int lane, int mu, int sign)
{
    // A bit changes if all bits of the direction above it carry.
    const int mask = g.mask[mu], carry = (sign > 0 ? lane : ~lane) | ~mask;
    return lane ^ (mask & carry >> 1 & carry >> 2 & carry >> 3 & carry >> 4);
}

/// Does a crossing step from this lane leave the tile (and not only its part)?
QCD_FN int lane_at_edge(tile_shape g, int lane, int mu, int sign)
{
    return (lane & g.mask[mu]) == (sign > 0 ? g.mask[mu] : 0);
}

/// Does any of the block's hops need a face?
QCD_FN int needs_face(tile_shape g, block_place p, int parity)
{
    const int rho = row_offset(p, parity);
    return (g.cut[0] && (rho ? p.i[0] == g.m[0] - 1 : p.i[0] == 0)) ||
           (g.cut[1] && (p.i[1] == 0 || p.i[1] == g.m[1] - 1)) ||
           (g.cut[2] && (p.i[2] == 0 || p.i[2] == g.m[2] - 1)) ||
           (g.cut[3] && (p.i[3] == 0 || p.i[3] == g.m[3] - 1));
}

QCD_PLAIN_END

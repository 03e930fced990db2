#pragma once
// A hop of a tile in two parts, so that faces can travel while the sites that do not need them are
// computed: the border has the blocks that read a face which comes late, the inside all others.
// Late faces are those of other ranks. These do not cut x, so that a part is told by the places in
// y, z and t, and the inside is a box.

#include "codelets/device/shape.h"

#define QCD_HOP_WHOLE 0
#define QCD_HOP_INSIDE 1
#define QCD_HOP_BORDER 2

QCD_PLAIN_BEGIN

/// Blocks from `first` on, `count` in each direction.
typedef struct {
    int first[4], count[4];
} block_box;

/// Do the blocks at the tile's lower end in mu, which read what comes from the tile at -mu, wait
/// for the border? The next one asks the same of the upper end.
QCD_FN int lower_is_late(int late, int mu) { return late >> (2 * mu + 1) & 1; }
QCD_FN int upper_is_late(int late, int mu) { return late >> 2 * mu & 1; }

/// late: bit f is set if the hop's face f comes late; 0: the box is the tile.
QCD_FN block_box inside_of(tile_shape g, int late)
{
    block_box b;
    for (int mu = 0; mu < 4; ++mu) {
        const int left = g.m[mu] - lower_is_late(late, mu) - upper_is_late(late, mu);
        b.first[mu] = lower_is_late(late, mu);
        b.count[mu] = left > 0 ? left : 0;
    }
    return b;
}
QCD_FN int blocks_in_box(block_box b) { return b.count[0] * b.count[1] * b.count[2] * b.count[3]; }
QCD_FN int is_in_box(block_box b, block_place p)
{
    for (int mu = 0; mu < 4; ++mu)
        if (p.i[mu] < b.first[mu] || p.i[mu] >= b.first[mu] + b.count[mu]) return 0;
    return 1;
}

/// The blocks of a part.
QCD_FN int blocks_of_part(tile_shape g, int part, int late)
{
    const int inside = part == QCD_HOP_WHOLE ? 0 : blocks_in_box(inside_of(g, late));
    return part == QCD_HOP_INSIDE ? inside : g.blocks - inside;
}

/// Block `number` of the border, below blocks_of_part(). First come the slices at the ends in t,
/// then, of the slices between them, the planes at the ends in z, and so on.
QCD_FN block_place place_on_border(tile_shape g, int late, int number)
{
    const block_box inside = inside_of(g, late);
    block_place p;
    int mu = 3, area = g.m[0] * g.m[1] * g.m[2]; // of a slice
    for (; mu > 1; --mu) {
        const int blocks = (g.m[mu] - inside.count[mu]) * area;
        if (number < blocks) break;
        number -= blocks;
        area = area / g.m[mu - 1] * inside.count[mu];
    }
    const int slice = number / area;
    p.i[mu] = slice == 0 && inside.first[mu] ? 0 : g.m[mu] - 1;
    number -= slice * area;
    for (int nu = 0; nu < 4; ++nu) {
        if (nu == mu) continue;
        const int n = nu < mu ? g.m[nu] : inside.count[nu];
        p.i[nu] = number % n + (nu < mu ? 0 : inside.first[nu]);
        number /= n;
    }
    return p;
}

QCD_PLAIN_END

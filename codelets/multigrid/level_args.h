#pragma once
// How a tile's part of a level of multigrid lies in memory.
//
// A level is a lattice whose sites have 12, or on coarse levels 2n, complex components: n of each
// chirality, n = 6, 12, 24 or 48. The sites of a coarse level are the aggregates of the next finer
// one: blocks of sites, equal in all of the lattice. A tile is a union of aggregates on each level.
//
// Fields of a level are stored as spinor fields are (shape.h): blocks of 32 lanes with 12 complex
// components each, of which 0..5 have one chirality and 6..11 the other. A site of the finest level
// is a lane; one of a coarse level has `lanes` = n/6 lanes that follow each other, and its
// component k of chirality c is the lane's 6 c + k%6 in lane k/6 of these. So gamma5 and every update of
// vectors are those of spinors. The sites of an aggregate follow each other, x fastest, and the
// aggregates, x fastest; each begins a block, and lanes that stay empty behind its last site hold 0.

#include "codelets/device/args.h"

#define QCD_CHIRAL_COMPONENTS 6 // of a lane
#define QCD_COARSE_DIRECTIONS 9 // forward in x, y, z, t, backward in these, and the site itself

QCD_PLAIN_BEGIN

typedef struct {
    int sites[4];     // extents of the tile
    int aggregate[4]; // extents of an aggregate; they divide the tile's
    int lanes;        // of a site
    int blocks_each;  // of an aggregate
    int aggregates;   // of the tile
    int blocks;       // aggregates * blocks_each
} level_shape;

/// Where a restriction puts what it makes: component (site, lane, component) of right-hand side r into block
/// first + stride * (its block in the coarse level's field) + side * r, for r < sides.
typedef struct {
    int first, stride, side, sides;
} coarse_place;

QCD_PLAIN_END

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

#include "codelets/device/shape.h"

#define QCD_CHIRAL_COMPONENTS 6  // of a lane
#define QCD_MOST_BLOCKS_EACH 128 // of an aggregate on the finest level
#define QCD_COARSE_DIRECTIONS 9  // forward in x, y, z, t, backward in these, and the site itself

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

/// A lane of a field: its site's coordinates in the tile, and which of the site's lanes it is.
typedef struct {
    int x[4];
    int part; // -1: a lane that stays empty
} level_site;

QCD_FN int sites_of_aggregate(level_shape g)
{
    return g.aggregate[0] * g.aggregate[1] * g.aggregate[2] * g.aggregate[3];
}

QCD_FN level_site site_of_lane(level_shape g, int block, int lane)
{
    level_site s;
    const int in_aggregate = (block % g.blocks_each) * QCD_LANES + lane;
    int aggregate = block / g.blocks_each, site = in_aggregate / g.lanes;
    s.part = site < sites_of_aggregate(g) ? in_aggregate % g.lanes : -1;
    for (int mu = 0; mu < 4; ++mu) {
        const int n = g.sites[mu] / g.aggregate[mu];
        s.x[mu] = aggregate % n * g.aggregate[mu] + site % g.aggregate[mu];
        aggregate /= n;
        site /= g.aggregate[mu];
    }
    return s;
}

/// The number of a site's first lane, counted over all blocks.
QCD_FN int first_lane_of(level_shape g, const int* x)
{
    int aggregate = 0, site = 0;
    for (int mu = 3; mu >= 0; --mu) {
        aggregate = aggregate * (g.sites[mu] / g.aggregate[mu]) + x[mu] / g.aggregate[mu];
        site = site * g.aggregate[mu] + x[mu] % g.aggregate[mu];
    }
    return aggregate * g.blocks_each * QCD_LANES + site * g.lanes;
}

/// The number of the first lane of the coarse site that an aggregate is.
QCD_FN int first_lane_of_aggregate(level_shape g, level_shape coarse, int aggregate)
{
    int x[4];
    for (int mu = 0; mu < 4; ++mu) {
        const int n = g.sites[mu] / g.aggregate[mu];
        x[mu] = aggregate % n;
        aggregate /= n;
    }
    return first_lane_of(coarse, x);
}

QCD_PLAIN_END

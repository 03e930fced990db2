#pragma once
// Sites of a level (level_args.h).

#include "codelets/device/site_sums.h"
#include "codelets/device/spinor.h"
#include "codelets/multigrid/level_args.h"

// No right-hand side of their own (launch/site_buffers.h).
#define QCD_OF_RHS_places(name, type)
#define QCD_OF_RHS_basis(name, type)
#define QCD_OF_RHS_matrices(name, type)
#define QCD_CLOSED_places(name)
#define QCD_CLOSED_basis(name)
#define QCD_CLOSED_matrices(name)

QCD_PLAIN_BEGIN

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

/// Coordinates of the aggregate as a site of the coarse level.
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

QCD_BEGIN

#define QCD_LEVEL_BLOCK (QCD_SPINOR_ROWS * QCD_LANES) // reals

/// Offset of a lane's first component, lanes counted over all blocks.
QCD_FN int place_of_lane(int number)
{
    return number / QCD_LANES * QCD_LEVEL_BLOCK + lane_offset(number % QCD_LANES, QCD_SPINOR_ROWS);
}

/// The six components of one chirality of a lane.
typedef struct {
    cplx up, down;
} chiral_sums;

QCD_END

#pragma once
// A tile of the ladder: a slab of time slices. Site number s = ((t Z + z) Y + y) X + x in the slab;
// a spinor is 3x4 complex numbers, psi[site][colour][spin]. Directions d: 0..3 the neighbours ahead
// in t, x, y, z, 4..7 those behind.

#include "codelets/device/lang.h"
#include "codelets/device/plain_structs.h"

#define QCD_LADDER_ELEMENTS 12 // complex numbers of a spinor
#define QCD_LADDER_GROUP 256   // threads of a group where nothing else is said

QCD_PLAIN_BEGIN

typedef struct {
    int x, y, z, t; // extents of the slab
    int slice;      // sites of a time slice: x y z
    int sites;      // slice t
    int cut;        // 1: what lies before and behind is a neighbour's, and comes as a time slice
} ladder_shape;

/// The neighbour of a site: a site of the slab, or sites + i for site i of the time slice below the
/// slab, sites + slice + i of that above it.
QCD_FN int ladder_neighbour(ladder_shape g, int site, int d)
{
    if (d % 4 == 0) {
        const int in_slice = site % g.slice;
        if (d == 0) {
            if (site + g.slice < g.sites) return site + g.slice;
            return g.cut ? g.sites + g.slice + in_slice : in_slice;
        }
        if (site >= g.slice) return site - g.slice;
        return g.cut ? g.sites + in_slice : g.sites - g.slice + in_slice;
    }
    const int mu = d % 4,
              extent = mu == 1   ? g.x
                       : mu == 2 ? g.y
                                 : g.z,
              step = mu == 1   ? 1
                     : mu == 2 ? g.x
                               : g.x * g.y,
              at = site / step % extent;
    if (d < 4) return at + 1 < extent ? site + step : site - at * step;
    return at > 0 ? site - step : site + (extent - 1) * step;
}

QCD_PLAIN_END

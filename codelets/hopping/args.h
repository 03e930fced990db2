#pragma once

#include "codelets/device/args.h"
#include "codelets/device/lang.h"
#include "codelets/hopping/parts.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    tile_shape shape;
    int parity;   // of the sites of out, v and u
    int sums;     // bits QCD_SUM_*
    int add_u;    // 1: out = a o v + b o (H psi) + u
    int part;     // QCD_HOP_*: of the tile's blocks (parts.h)
    int late;     // bit f: face f is one of those that the inside does not wait for
    int reach;    // QCD_REACH_*: where the hop's data come from; for cores only
    int prefetch; // QCD_PREFETCH_*, where reach is near none; for cores only
    int negate_t; // 1: hops across the tile's upper end in t get a factor -1 that links of 12 and 8
                  // reals do not hold
    chiral a, b;
    double twist; // mubar of T; looked at only with clover
} hopping_args;

/// Do any of the tile's sites need a face?
QCD_FN int hopping_reads_faces(tile_shape g)
{
    return g.cut[0] || g.cut[1] || g.cut[2] || g.cut[3];
}

#ifdef __cplusplus
}
#endif

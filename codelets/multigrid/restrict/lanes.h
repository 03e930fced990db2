#pragma once
// What a lane adds up, and where the sums go (contract: restrict.hpp).

#include "codelets/launch/site_buffers.h"
#include "codelets/multigrid/level.h"
#include "codelets/multigrid/restrict/slots.h"

QCD_BEGIN

QCD_SITE_BUFFERS(restrict)

QCD_FN int is_at_face(restrict_args a, int block, int lane)
{
    const level_site s = site_of_lane(a.level, block, lane);
    const int mu = a.face / 2, n = a.level.aggregate[mu], x = s.x[mu] % n;
    return s.part >= 0 && x == (a.face % 2 ? n - 1 : 0);
}

/// 1 in the caller's lanes that count, else 0.
QCD_FN vreal at_face(restrict_args a, int block, lanes w)
{
#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)
    return (vreal)is_at_face(a, block, w.lane);
#else
    vreal mask = vset(0);
    for (int j = 0; j < vector_width; ++j) mask[j] = is_at_face(a, block, w.first + j);
    return mask;
#endif
}

QCD_FN spinor masked_spinor(vreal mask, spinor s)
{
    const colour zero = colour_zero();
    return spinor_make(colour_fma_real(mask, s.s0, zero), colour_fma_real(mask, s.s1, zero),
                       colour_fma_real(mask, s.s2, zero), colour_fma_real(mask, s.s3, zero));
}

/// What the caller's lanes add up over the blocks of an aggregate, for basis vector unit % n of
/// aggregate unit / n.
QCD_FN chiral_sums restrict_lanes(restrict_args a, restrict_buffers f, int unit, int rhs, lanes w)
{
    const int first = unit / a.vectors * a.level.blocks_each, k = unit % a.vectors;
    chiral_sums s = no_chiral_sums();
    for (int block = first; block < first + a.level.blocks_each; ++block) {
        spinor in = load_spinor(f.in + spinor_place(rhs * a.level.blocks + block, w));
        const spinor v = load_spinor(f.basis + spinor_place(k * a.level.blocks + block, w));
        if (a.face >= 0) in = masked_spinor(at_face(a, block, w), in);
        s = add_chiral_products(v, in, s);
    }
    return s;
}

/// One component of both chiralities; lane: its number in the coarse field.
QCD_FN void put_coarse(restrict_args a, QCD_GLOBAL real* out, int rhs, int lane, int component,
                       math up_re, math up_im, math down_re, math down_im)
{
    const long block = a.to.first + (long)a.to.stride * (lane / QCD_LANES) + (long)a.to.side * rhs;
    out += block * QCD_LEVEL_BLOCK + lane_offset(lane % QCD_LANES, QCD_SPINOR_ROWS) +
           2 * component * QCD_ROW;
    out[0] = (real)up_re;
    out[QCD_ROW] = (real)up_im;
    out[2 * QCD_CHIRAL_COMPONENTS * QCD_ROW] = (real)down_re;
    out[(2 * QCD_CHIRAL_COMPONENTS + 1) * QCD_ROW] = (real)down_im;
}

/// Stores what all lanes together make. The last site of a coarse aggregate also clears the lanes that
/// stay empty behind it.
QCD_FN void put_restricted(restrict_args a, QCD_GLOBAL real* out, int unit, int rhs, math up_re,
                           math up_im, math down_re, math down_im)
{
    if (rhs >= a.to.sides) return;
    const int k = unit % a.vectors, part = k / QCD_CHIRAL_COMPONENTS,
              component = k % QCD_CHIRAL_COMPONENTS;
    const int first = first_lane_of_aggregate(a.level, a.coarse, unit / a.vectors);
    put_coarse(a, out, rhs, first + part, component, up_re, up_im, down_re, down_im);
    const int of_aggregate = a.coarse.blocks_each * QCD_LANES;
    int next = first % of_aggregate + a.coarse.lanes;
    if (next != sites_of_aggregate(a.coarse) * a.coarse.lanes) return;
    for (next += part; next < of_aggregate; next += a.coarse.lanes)
        put_coarse(a, out, rhs, first / of_aggregate * of_aggregate + next, component, 0, 0, 0, 0);
}

QCD_END

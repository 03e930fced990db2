#pragma once
// What a lane adds up, and where the sums go (contract: restrict.hpp).

#include "codelets/launch/site_buffers.h"
#include "codelets/multigrid/level.h"
#include "codelets/multigrid/restrict/slots.h"

QCD_BEGIN

QCD_SITE_BUFFERS(restrict)

/// Is it at the end of its aggregate (restrict_args::face)? block: in its aggregate.
QCD_FN int is_at_face(restrict_args a, int block, int lane)
{
    const int mu = a.face / 2, n = a.level.aggregate[mu];
    int site = (block * QCD_LANES + lane) / a.level.lanes;
    for (int nu = 0; nu < mu; ++nu) site /= a.level.aggregate[nu];
    return site % n == (a.face % 2 ? n - 1 : 0);
}

QCD_FN spinor masked_spinor(vreal mask, spinor s)
{
    const colour zero = colour_zero();
    return spinor_make(colour_fma_real(mask, s.s0, zero), colour_fma_real(mask, s.s1, zero),
                       colour_fma_real(mask, s.s2, zero), colour_fma_real(mask, s.s3, zero));
}

/// The caller's lanes of basis vector unit % n in a block of aggregate unit / n.
QCD_FN spinor basis_lanes(restrict_args a, restrict_buffers f, int unit, int block, lanes w)
{
    const int first = unit / a.vectors * a.level.blocks_each, k = unit % a.vectors;
    return load_spinor(f.basis + spinor_place(k * a.level.blocks + first + block, w));
}

/// The sums of the caller's lanes with one more block, v of the basis, 0 in lanes that do not count.
QCD_FN chiral_sums restrict_block(restrict_args a, restrict_buffers f, int unit, int block, int rhs,
                                  lanes w, spinor v, chiral_sums s)
{
    const int here = unit / a.vectors * a.level.blocks_each + block;
    const spinor in = load_spinor(f.in + spinor_place(rhs * a.level.blocks + here, w));
    return add_chiral_products(v, in, s);
}

#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)

/// What a lane adds up over the blocks of an aggregate.
QCD_FN chiral_sums restrict_lanes(restrict_args a, restrict_buffers f, int unit, int rhs, lanes w)
{
    chiral_sums s = no_chiral_sums();
    for (int block = 0; block < a.level.blocks_each; ++block) {
        spinor v = basis_lanes(a, f, unit, block, w);
        if (a.face >= 0) v = masked_spinor((vreal)is_at_face(a, block, w.lane), v);
        s = restrict_block(a, f, unit, block, rhs, w, v, s);
    }
    return s;
}

#endif

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

#pragma once
// The lanes of one block (contract: coarse_hop.hpp).

#include "codelets/launch/site_buffers.h"
#include "codelets/multigrid/coarse_hop/slots.h"
#include "codelets/multigrid/level.h"

QCD_BEGIN

QCD_SITE_BUFFERS(coarse_hop)

/// The first component of the first lane of the site in direction d of a lane's; null: the term is
/// left out.
QCD_FN QCD_GLOBAL const real* coarse_neighbour(coarse_hop_args a, coarse_hop_buffers f, int rhs,
                                               int block, int lane, int d)
{
    level_site s = site_of_lane(a.level, block, lane);
    if (s.part < 0) return 0;
    QCD_GLOBAL const real* in = f.in;
    int across = 0;
    if (d < 8) {
        const int mu = d % 4, sign = d < 4 ? 1 : -1, n = a.level.aggregate[mu];
        const int last = sign > 0 ? a.level.sites[mu] - 1 : 0;
        across = !a.whole[mu] && s.x[mu] % n == (sign > 0 ? n - 1 : 0);
        if (s.x[mu] == last) {
            // Where there are two tiles in mu the one ahead is the one behind, too.
            QCD_GLOBAL const real* other =
                sign > 0 || f.behind[mu] == 0 ? f.ahead[mu] : f.behind[mu];
            if (other != 0) in = other;
            s.x[mu] = a.level.sites[mu] - 1 - last;
        } else {
            s.x[mu] += sign;
        }
        if (a.terms >= QCD_ACROSS && d != a.terms - QCD_ACROSS) return 0;
    }
    if (a.terms == QCD_WITHIN && across) return 0;
    if (a.terms >= QCD_ACROSS && !across) return 0;
    return in + rhs * a.level.blocks * QCD_LEVEL_BLOCK + place_of_lane(first_lane_of(a.level, s.x));
}

/// Column 0 of M_d of the caller's lanes; the next ones follow QCD_LEVEL_BLOCK reals behind.
QCD_FN QCD_GLOBAL const real* coarse_columns(coarse_hop_args a, coarse_hop_buffers f, int block,
                                             int d, lanes w)
{
    const int columns = 2 * QCD_CHIRAL_COMPONENTS * a.level.lanes;
    return f.matrices + ((long)block * QCD_COARSE_DIRECTIONS + d) * columns * QCD_LEVEL_BLOCK +
           own_lanes(QCD_SPINOR_ROWS, w);
}

#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)

typedef QCD_GLOBAL const real* neighbour_lanes;

QCD_FN neighbour_lanes neighbours_of(coarse_hop_args a, coarse_hop_buffers f, int rhs, int block,
                                     int d, lanes w)
{
    return coarse_neighbour(a, f, rhs, block, w.lane, d);
}
QCD_FN int any_neighbour(neighbour_lanes in) { return in != 0; }
QCD_FN cplx component_there(neighbour_lanes in, int component, int part)
{
    QCD_GLOBAL const real* at = in + 2 * component * QCD_ROW + part;
    return cmake(vset(at[0]), vset(at[QCD_ROW]));
}

#else

/// One place for each of a register's lanes.
typedef struct {
    const real* at[vector_width];
} neighbour_lanes;

static inline neighbour_lanes neighbours_of(const coarse_hop_args& a, const coarse_hop_buffers& f,
                                            int rhs, int block, int d, lanes w)
{
    neighbour_lanes n;
    for (int j = 0; j < vector_width; ++j)
        n.at[j] = coarse_neighbour(a, f, rhs, block, w.first + j, d);
    return n;
}
QCD_FN int any_neighbour(const neighbour_lanes& n)
{
    for (int j = 0; j < vector_width; ++j)
        if (n.at[j]) return 1;
    return 0;
}
QCD_FN cplx component_there(const neighbour_lanes& n, int component, int part)
{
    cplx z = csplat(scalar_make(0, 0));
    for (int j = 0; j < vector_width; ++j) {
        if (!n.at[j]) continue;
        z.re[j] = n.at[j][2 * component * QCD_ROW + part];
        z.im[j] = n.at[j][(2 * component + 1) * QCD_ROW + part];
    }
    return z;
}

#endif

/// Adds M_d in to the caller's lanes, in `spins` of the four spins of their components from `first`
/// on. A lane whose term is left out gets 0.
QCD_FN void add_coarse_columns(coarse_hop_args a, coarse_hop_buffers f, const neighbour_lanes* in,
                               int block, int d, int first, int spins, lanes w, colour* sum)
{
    QCD_GLOBAL const real* column = coarse_columns(a, f, block, d, w) + 6 * first * QCD_ROW;
    for (int component = 0; component < 2 * QCD_CHIRAL_COMPONENTS; ++component)
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
        for (int part = 0; part < a.level.lanes; ++part, column += QCD_LEVEL_BLOCK) {
            const cplx e = component_there(*in, component, part);
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
            for (int spin = 0; spin < spins; ++spin)
                sum[spin] = colour_fma(e, load_colour(column + 6 * spin * QCD_ROW), sum[spin]);
        }
}

/// The term of a direction in the caller's lanes.
QCD_FN spinor coarse_term(coarse_hop_args a, coarse_hop_buffers f, int rhs, int block, int d,
                          lanes w)
{
    colour sum[4];
    sum[0] = sum[1] = sum[2] = sum[3] = colour_zero();
    const neighbour_lanes in = neighbours_of(a, f, rhs, block, d, w);
    if (any_neighbour(in)) add_coarse_columns(a, f, &in, block, d, 0, 4, w, sum);
    return spinor_make(sum[0], sum[1], sum[2], sum[3]);
}

/// u - sum, or sum where there is no u; at: of these components in u.
QCD_FN colour coarse_rest(coarse_hop_buffers f, int at, colour sum)
{
    if (f.u == 0) return sum;
    return colour_fma(csplat(scalar_make(-1, 0)), sum, load_colour(f.u + at));
}

QCD_FN void put_coarse_hop(coarse_hop_args a, coarse_hop_buffers f, int rhs, int block, lanes w,
                           spinor sum)
{
    const int at = spinor_place(rhs * a.level.blocks + block, w);
    store_spinor(f.out + at,
                 spinor_make(coarse_rest(f, at, sum.s0), coarse_rest(f, at + 6 * QCD_ROW, sum.s1),
                             coarse_rest(f, at + 12 * QCD_ROW, sum.s2),
                             coarse_rest(f, at + 18 * QCD_ROW, sum.s3)));
}

QCD_END

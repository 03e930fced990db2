#pragma once
// Links at sites one or two steps away, two in different directions: what staples need. All tiles of
// a lattice have the same shape (shape.h), so that what a lane finds at the other end of its own tile
// when a step leaves it is, in the tile there, just what it should read: the same block and lane of
// other memory.

#include "codelets/device/uints.h"
#include "codelets/gauge/matrix.h"

// A large function that a site calls several times: out of line on the host, whose caches of
// instructions it would fill. Devices inline it, once: QCD_ONE_COPY before a loop keeps it so.
#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)
#define QCD_LARGE_FN QCD_FN
#define QCD_LARGE_ARGUMENT(type) type
#else
#define QCD_LARGE_FN static __attribute__((noinline))
#define QCD_LARGE_ARGUMENT(type) const type&
#endif

#if defined(__OPENCL_VERSION__) || defined(__CUDA_ARCH__)
#define QCD_ONE_COPY _Pragma("unroll 1")
#else
#define QCD_ONE_COPY
#endif

QCD_BEGIN

/// One direction and parity of the links of the own tile, and of those that the first step, the
/// second one, or both lead to; null where that step's direction is not cut.
typedef struct {
    QCD_GLOBAL const real *own, *first, *second, *both;
} link_tiles;

/// A path of two steps; sign 0: no step.
typedef struct {
    int mu1, sign1, mu2, sign2;
} link_path;

QCD_FN link_path link_path_of(int mu1, int sign1, int mu2, int sign2)
{
    link_path p;
    p.mu1 = mu1;
    p.sign1 = sign1;
    p.mu2 = mu2;
    p.sign2 = sign2;
    return p;
}

/// Lanes that hold sites; others are 0 and are not to be counted.
QCD_FN vmask lanes_with_sites(tile_shape g, lanes w)
{
    const int in_use = 1 + (g.mask[0] | g.mask[1] | g.mask[2] | g.mask[3]);
#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)
    return w.lane < in_use;
#else
    vmask m;
    for (int j = 0; j < vector_width; ++j) m[j] = -(w.first + j < in_use);
    return m;
#endif
}

/// Takes a step; does it leave the part? rho: the offset of the site's row, which steps in y, z and
/// t do not change, since they change the parity, too.
QCD_FN int take_step(tile_shape g, block_place* p, int rho, int mu, int sign)
{
    const int moves = mu != 0 || rho == (sign > 0 ? 1 : 0);
    const int last = sign > 0 ? g.m[mu] - 1 : 0;
    if (!moves) return 0;
    if (p->i[mu] != last) {
        p->i[mu] += sign;
        return 0;
    }
    p->i[mu] = g.m[mu] - 1 - last;
    return 1;
}

/// Offset of a block's first row.
QCD_FN int link_block(int block) { return block * (QCD_LINK_ROWS * QCD_LANES); }

#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)

/// rho: that of the block's rows, which is another one for lanes that have other rows.
QCD_FN su3 link_along(link_tiles t, tile_shape g, block_place p, int rho, link_path path, lanes w)
{
    int lane = w.lane, leaves1 = 0, leaves2 = 0;
    rho ^= has_other_rows(g, lane);
    if (path.sign1 != 0 && take_step(g, &p, rho, path.mu1, path.sign1)) {
        leaves1 = lane_at_edge(g, lane, path.mu1, path.sign1);
        lane = neighbour_lane(g, lane, path.mu1, path.sign1);
    }
    if (path.sign2 != 0 && take_step(g, &p, rho, path.mu2, path.sign2)) {
        leaves2 = lane_at_edge(g, lane, path.mu2, path.sign2);
        lane = neighbour_lane(g, lane, path.mu2, path.sign2);
    }
    leaves1 = leaves1 && g.cut[path.mu1];
    leaves2 = leaves2 && g.cut[path.mu2];
    QCD_GLOBAL const real* tile = leaves1   ? (leaves2 ? t.both : t.first)
                                  : leaves2 ? t.second
                                            : t.own;
    return load_matrix(tile + link_block(block_number(g, p)) + lane_offset(lane, QCD_LINK_ROWS));
}

#else

/// The pick of the register of lanes that begins with `first`; it stands in the same table as that
/// of w.
QCD_FN const lane_pick* pick_of_lanes(lanes w, int first, int mu, int sign)
{
    return w.picks + (first - w.first) / vector_width * directions + 2 * mu + (sign < 0);
}

QCD_FN colour picked_colour(colour v, const lane_pick* p)
{
    return colour_make(cmake(picked(v.c0.re, p), picked(v.c0.im, p)),
                       cmake(picked(v.c1.re, p), picked(v.c1.im, p)),
                       cmake(picked(v.c2.re, p), picked(v.c2.im, p)));
}
QCD_FN su3 picked_matrix(su3 a, const lane_pick* p)
{
    a.r0 = picked_colour(a.r0, p);
    a.r1 = picked_colour(a.r1, p);
    a.r2 = picked_colour(a.r2, p);
    return a;
}
QCD_FN colour selected_colour(pick_vector which, colour a, colour b)
{
    return colour_make(cmake(vselect(which, a.c0.re, b.c0.re), vselect(which, a.c0.im, b.c0.im)),
                       cmake(vselect(which, a.c1.re, b.c1.re), vselect(which, a.c1.im, b.c1.im)),
                       cmake(vselect(which, a.c2.re, b.c2.re), vselect(which, a.c2.im, b.c2.im)));
}
QCD_FN su3 selected_matrix(pick_vector which, su3 a, su3 b)
{
    a.r0 = selected_colour(which, a.r0, b.r0);
    a.r1 = selected_colour(which, a.r1, b.r1);
    a.r2 = selected_colour(which, a.r2, b.r2);
    return a;
}
QCD_FN int any_of(pick_vector which)
{
    long long any = 0;
    for (int j = 0; j < vector_width; ++j) any |= which[j];
    return any != 0;
}

/// Where all lanes have rows of offset rho.
static __attribute__((noinline)) su3 link_along_rows(const link_tiles& t, const tile_shape& g,
                                                     block_place p, int rho, const link_path& path,
                                                     const lanes& w)
{
    const lane_pick *pick1 = nullptr, *pick2 = nullptr; // of steps that leave the part
    const int crosses1 = path.sign1 != 0 && take_step(g, &p, rho, path.mu1, path.sign1);
    if (crosses1) pick1 = pick_of(w, path.mu1, path.sign1);
    const int there = pick1 ? pick1->first : w.first;
    const int crosses2 = path.sign2 != 0 && take_step(g, &p, rho, path.mu2, path.sign2);
    if (crosses2) pick2 = pick_of_lanes(w, there, path.mu2, path.sign2);
    const int at =
        link_block(block_number(g, p)) + lane_offset(pick2 ? pick2->first : there, QCD_LINK_ROWS);
    const auto load = [&](const real* tile) __attribute__((always_inline))
    {
        su3 u = load_matrix(tile + at);
        if (pick2 && pick2->rotated) u = picked_matrix(u, pick2);
        if (pick1 && pick1->rotated) u = picked_matrix(u, pick1);
        return u;
    };
    // A step changes no lane bits of the other direction: both edges are those of the caller's lanes.
    const pick_vector none = {};
    const pick_vector leaves1 = pick1 && g.cut[path.mu1] ? pick1->edge : none,
                      leaves2 =
                          pick2 && g.cut[path.mu2] ? pick_of(w, path.mu2, path.sign2)->edge : none;
    if (!(pick1 && g.cut[path.mu1]) && !(pick2 && g.cut[path.mu2])) return load(t.own);
    su3 u;
    int has = 0;
    const auto add = [&](const real* tile, pick_vector which) {
        if (!any_of(which)) return;
        u = has ? selected_matrix(which, load(tile), u) : load(tile);
        has = 1;
    };
    add(t.own, ~leaves1 & ~leaves2);
    add(t.first, leaves1 & ~leaves2);
    add(t.second, ~leaves1 & leaves2);
    add(t.both, leaves1 & leaves2);
    return u;
}

/// rho: that of the block's rows, which is another one for lanes that have other rows.
QCD_FN su3 link_along(const link_tiles& t, const tile_shape& g, const block_place& p, int rho,
                      const link_path& path, const lanes& w)
{
    const su3 u = link_along_rows(t, g, p, rho, path, w);
    const bool in_x = (path.sign1 != 0 && path.mu1 == 0) || (path.sign2 != 0 && path.mu2 == 0);
    if (!in_x || !g.other_rows) return u;
    return selected_matrix(*w.other_rows, link_along_rows(t, g, p, 1 - rho, path, w), u);
}

#endif

QCD_END

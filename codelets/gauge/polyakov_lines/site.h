#pragma once
// The lines of these lanes (contract: polyakov_lines.hpp).

#include "codelets/device/site_sums.h"
#include "codelets/gauge/neighbour.h"
#include "codelets/gauge/polyakov_lines/slots.h"

QCD_BEGIN

QCD_FN int lines_of(polyakov_lines_args a) { return a.extents[0] * a.extents[1] * a.extents[2]; }

/// The lane bits of a part of direction mu.
QCD_FN int lane_of_part(tile_shape g, int part, int mu)
{
    int lane = 0; // a part's number stands in them backwards (shape.h)
    for (int bits = g.mask[mu] >> g.bit[mu]; bits != 0; bits >>= 1) {
        lane = lane << 1 | (part & 1);
        part >>= 1;
    }
    return lane << g.bit[mu];
}

/// U_t of a line's site in slice t of the tile.
QCD_FN QCD_GLOBAL const real* link_of_line(polyakov_lines_args a, polyakov_lines_buffers f,
                                           int line, int t)
{
    int x[4];
    x[0] = line % a.extents[0];
    line /= a.extents[0];
    x[1] = line % a.extents[1];
    x[2] = line / a.extents[1];
    x[3] = t;
    const int parity = (x[0] + x[1] + x[2] + x[3]) & 1;
    x[0] /= 2; // its column
    block_place p;
    int lane = 0;
    for (int mu = 0; mu < 4; ++mu) {
        p.i[mu] = x[mu] % a.shape.m[mu];
        lane |= lane_of_part(a.shape, x[mu] / a.shape.m[mu], mu);
    }
    return f.links[parity] + link_block(block_number(a.shape, p)) +
           lane_offset(lane, QCD_LINK_ROWS);
}

#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)
QCD_FN su3 links_of_lines(polyakov_lines_args a, polyakov_lines_buffers f, int line, int t)
{
    return load_matrix(link_of_line(a, f, line, t));
}
#else
QCD_FN cplx gathered_cplx(const real* const* at, int row)
{
    cplx z;
    for (int j = 0; j < vector_width; ++j) {
        z.re[j] = at[j][row * QCD_ROW];
        z.im[j] = at[j][(row + 1) * QCD_ROW];
    }
    return z;
}
QCD_FN colour gathered_colour(const real* const* at, int row)
{
    return colour_make(gathered_cplx(at, row), gathered_cplx(at, row + 2),
                       gathered_cplx(at, row + 4));
}
QCD_FN su3 links_of_lines(const polyakov_lines_args& a, const polyakov_lines_buffers& f, int line,
                          int t)
{
    const real* at[vector_width];
    for (int j = 0; j < vector_width; ++j) at[j] = link_of_line(a, f, line + j, t);
    su3 u;
    u.r0 = gathered_colour(at, 0);
    u.r1 = gathered_colour(at, 6);
    u.r2 = gathered_colour(at, 12);
    return u;
}
#endif

// The rows of a line are 32 lanes apart, not a piece.
QCD_FN cplx load_line_cplx(QCD_GLOBAL const real* p)
{
    return cmake(vload(p), vload(p + QCD_LANES));
}
QCD_FN colour load_line_colour(QCD_GLOBAL const real* p)
{
    return colour_make(load_line_cplx(p), load_line_cplx(p + 2 * QCD_LANES),
                       load_line_cplx(p + 4 * QCD_LANES));
}
QCD_FN void store_line_colour(QCD_GLOBAL real* p, colour c)
{
    vstore(p, c.c0.re);
    vstore(p + QCD_LANES, c.c0.im);
    vstore(p + 2 * QCD_LANES, c.c1.re);
    vstore(p + 3 * QCD_LANES, c.c1.im);
    vstore(p + 4 * QCD_LANES, c.c2.re);
    vstore(p + 5 * QCD_LANES, c.c2.im);
}

/// lane: of the first of these lines in its block, all of which are in the tile.
QCD_FN site_sums polyakov_lines_site(polyakov_lines_args a, polyakov_lines_buffers f, int block,
                                     int lane)
{
    QCD_GLOBAL real* at = f.lines + block * (QCD_LINK_ROWS * QCD_LANES) + lane;
    const int line = block * QCD_LANES + lane;
    su3 u;
    int t = 0;
    if (a.begins) {
        u = links_of_lines(a, f, line, t++);
    } else {
        u.r0 = load_line_colour(at);
        u.r1 = load_line_colour(at + 6 * QCD_LANES);
        u.r2 = load_line_colour(at + 12 * QCD_LANES);
    }
    for (; t < a.extents[3]; ++t) u = su3_product(u, links_of_lines(a, f, line, t));
    store_line_colour(at, u.r0);
    store_line_colour(at + 6 * QCD_LANES, u.r1);
    store_line_colour(at + 12 * QCD_LANES, u.r2);
    site_sums s = no_sums();
    s.v[0] = u.r0.c0.re + u.r1.c1.re + u.r2.c2.re;
    s.v[1] = u.r0.c0.im + u.r1.c1.im + u.r2.c2.im;
    return s;
}

QCD_END

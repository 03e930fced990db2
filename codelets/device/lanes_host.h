#pragma once
// The lanes of lanes.h on the host: a register stands for some of a block's lanes, and a step that
// leaves the block takes its lanes from two groups at most.

#include "codelets/device/shape.h"
#include "codelets/device/simd.h"

QCD_BEGIN

#if QCD_MATH_BITS == 64
typedef long long pick_index;
#else
typedef int pick_index;
#endif
typedef pick_index pick_vector __attribute__((vector_size(QCD_VECTOR_BYTES)));

/// Where the lanes of a register come from after a crossing step.
typedef struct {
    int source[vector_width]; // lane j of the caller reads lane source[j] of the row
    int first, second; // the aligned groups of lanes that hold them: at most two, as lanes rotate
    int single;        // 1: the first holds all of them
    int rotated;       // 1: single, but in another order
    pick_vector pick;  // position in (first, second)
    pick_vector edge;  // -1 where the step leaves the tile
    int all_edge, any_edge;
} lane_pick;

enum { directions = 8, crossing_scratch_rows = QCD_SPINOR_ROWS + QCD_LINK_ROWS };

typedef struct {
    int first;                     // lanes first .. first+vector_width-1
    const lane_pick* picks;        // [2*mu + (sign < 0)]
    const pick_vector* other_rows; // -1 in lanes that have other rows (shape.h)
    real* scratch;                 // crossing_scratch_rows rows: crossed_rows writes here
    math* face_scratch;            // QCD_HALF_ROWS rows: crossed_face_rows may write here
    math* half_scratch;            // QCD_HALF_ROWS rows: for mix_rows
} lanes;

/// Sources and edges of one crossing step for lanes first .. first+vector_width-1.
static __attribute__((noinline)) lane_pick make_lane_pick(tile_shape g, int first, int mu, int sign)
{
    lane_pick p;
    p.all_edge = 1;
    p.any_edge = p.rotated = 0;
    p.first = p.second = neighbour_lane(g, first, mu, sign) / vector_width * vector_width;
    for (int j = 0; j < vector_width; ++j) {
        p.edge[j] = -lane_at_edge(g, first + j, mu, sign);
        p.source[j] = neighbour_lane(g, first + j, mu, sign);
        p.all_edge &= -(int)p.edge[j];
        p.any_edge |= -(int)p.edge[j];
        const int group = p.source[j] / vector_width * vector_width;
        if (group != p.first) p.second = group;
        p.rotated |= p.source[j] != p.first + j;
        p.pick[j] = p.source[j] - group + (group == p.first ? 0 : vector_width);
    }
    p.single = p.first == p.second;
    p.rotated &= p.single;
    return p;
}

static __attribute__((noinline)) pick_vector lanes_with_other_rows(tile_shape g, int first)
{
    pick_vector other;
    for (int j = 0; j < vector_width; ++j) other[j] = -has_other_rows(g, first + j);
    return other;
}

QCD_FN const lane_pick* pick_of(lanes w, int mu, int sign) { return w.picks + 2 * mu + (sign < 0); }

/// Offset of a lane in row 0 of a block of `rows` rows.
QCD_FN int lane_offset(int lane, int rows)
{
    const unsigned l = (unsigned)lane;
    return (int)(l / QCD_ROW * (QCD_ROW * (unsigned)rows) + l % QCD_ROW);
}
QCD_FN int own_lanes(int rows, lanes w) { return lane_offset(w.first, rows); }

/// Asks for the rows that so many pieces later will be read. Into L2: what L1 is filled with too
/// early displaces what it needs now.
QCD_FN void prefetch_rows(const real* rows, int count, int pieces)
{
    rows += pieces * count * QCD_ROW;
    for (int r = 0; r < count; ++r) __builtin_prefetch(rows + r * QCD_ROW, 0, 2);
}
/// Asks for rows that are read at once, in the order of memory. Compilers read a spinor's from the
/// last one down and far apart.
QCD_FN void request_rows(const real* rows, int count)
{
    for (int r = 0; r < count; ++r) __builtin_prefetch(rows + r * QCD_ROW, 0, 3);
}

/// Collects lanes from two groups. Out of line, as all that is rare: the hop's common path must fit
/// the instruction cache.
static __attribute__((noinline)) void copy_picked(real* out, const real* base, int rows,
                                                  const lane_pick* p)
{
#if defined(__AVX512F__) && QCD_REAL_BITS == QCD_MATH_BITS
    const real* first = base + lane_offset(p->first, rows);
    const real* second = base + lane_offset(p->second, rows);
    for (int r = 0; r < rows; ++r) {
        const vreal a = vload(first + r * QCD_ROW), b = vload(second + r * QCD_ROW);
#if QCD_MATH_BITS == 64
        vstore(out + r * QCD_ROW, _mm512_permutex2var_pd(a, (__m512i)p->pick, b));
#else
        vstore(out + r * QCD_ROW, _mm512_permutex2var_ps(a, (__m512i)p->pick, b));
#endif
    }
#else
    for (int j = 0; j < vector_width; ++j) {
        const real* lane = base + lane_offset(p->source[j], rows);
        for (int r = 0; r < rows; ++r) out[r * QCD_ROW + j] = lane[r * QCD_ROW];
    }
#endif
}

/// Pointer whose rows hold the rows of the block `base` after a crossing step; rotate() then puts
/// them into the caller's lanes. Up to QCD_LINK_ROWS rows go to the second part of the scratch, so
/// that one spinor and one link are held at once.
QCD_FN const real* crossed_rows(const real* base, int rows, tile_shape, int mu, int sign, lanes w)
{
    const lane_pick* p = pick_of(w, mu, sign);
    if (p->single) return base + lane_offset(p->first, rows);
    real* out = w.scratch + (rows <= QCD_LINK_ROWS ? QCD_SPINOR_ROWS * QCD_ROW : 0);
    copy_picked(out, base, rows, p);
    return out;
}

QCD_FN const real* stepped_rows(const real* field, int block, int crosses, int rows, tile_shape g,
                                int mu, int sign, lanes w)
{
    return crosses ? crossed_rows(field + block, rows, g, mu, sign, w)
                   : field + block + own_lanes(rows, w);
}

/// Must what was computed from crossed_rows() still be rotated?
QCD_FN int must_rotate(int mu, int sign, lanes w) { return pick_of(w, mu, sign)->rotated; }
QCD_FN vreal rotate(vreal v, int mu, int sign, lanes w)
{
    const lane_pick* p = pick_of(w, mu, sign);
#if defined(__AVX512F__) && QCD_MATH_BITS == 64
    return _mm512_permutex2var_pd(v, (__m512i)p->pick, v);
#elif defined(__AVX512F__)
    return _mm512_permutex2var_ps(v, (__m512i)p->pick, v);
#else
    vreal r = v;
    for (int j = 0; j < vector_width; ++j) r[j] = v[p->pick[j]];
    return r;
#endif
}

QCD_FN int all_at_edge(tile_shape, int mu, int sign, lanes w)
{
    return pick_of(w, mu, sign)->all_edge;
}
QCD_FN int any_at_edge(tile_shape, int mu, int sign, lanes w)
{
    return pick_of(w, mu, sign)->any_edge;
}
QCD_FN vreal edge_sign(tile_shape, int mu, int sign, lanes w)
{
    const lane_pick* p = pick_of(w, mu, sign);
    vreal s;
    for (int j = 0; j < vector_width; ++j) s[j] = p->edge[j] ? -1 : 1;
    return s;
}

static __attribute__((noinline)) const math* copy_picked_face(math* out, const math* base,
                                                              const lane_pick* p)
{
    for (int r = 0; r < QCD_HALF_ROWS; ++r)
        for (int j = 0; j < vector_width; ++j)
            out[r * QCD_ROW + j] = base[r * QCD_ROW + lane_offset(p->source[j], QCD_HALF_ROWS)];
    return out;
}

/// As crossed_rows for the half spinors of a face. Rarely more than an offset: tilings keep cut
/// directions in one lane when they can.
QCD_FN const math* crossed_face_rows(const math* base, tile_shape g, int mu, int sign, lanes w)
{
    if (g.mask[mu] == 0) return base + own_lanes(QCD_HALF_ROWS, w);
    return copy_picked_face(w.face_scratch, base, pick_of(w, mu, sign));
}

/// rows <- others in these lanes (-1), for QCD_HALF_ROWS rows.
static __attribute__((noinline)) void mix_rows(math* rows, const math* others,
                                               const pick_vector* which)
{
    for (int r = 0; r < QCD_HALF_ROWS * QCD_ROW; r += QCD_ROW) {
        const pick_vector a = (pick_vector)vload_face(rows + r);
        const pick_vector b = (pick_vector)vload_face(others + r);
        vstore_face(rows + r, (vreal)((a & ~*which) | (b & *which)));
    }
}

QCD_END

#pragma once
// The lanes of lanes.h on the host: a register stands for some of a block's lanes, and what a step
// that leaves the block brings to them stands in one register, too (shape.h).

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
    int first;        // of the lanes of the register that holds them
    int rotated;      // 1: in another order
    pick_vector pick; // lane j of the caller is lane pick[j] there
    pick_vector edge; // -1 where the step leaves the tile
    int all_edge, any_edge;
} lane_pick;

#define QCD_LINE_BYTES 64 // of a core's caches

enum { directions = 8 };

typedef struct {
    int first;                     // lanes first .. first+vector_width-1
    const lane_pick* picks;        // [2*mu + (sign < 0)]
    const pick_vector* other_rows; // -1 in lanes that have other rows (shape.h)
    math* half_scratch;            // QCD_HALF_ROWS rows, for what is mixed
} lanes;

/// Sources and edges of one crossing step for lanes first .. first+vector_width-1.
static __attribute__((noinline)) lane_pick make_lane_pick(tile_shape g, int first, int mu, int sign)
{
    lane_pick p;
    p.all_edge = 1;
    p.any_edge = p.rotated = 0;
    p.first = neighbour_lane(g, first, mu, sign) / vector_width * vector_width;
    for (int j = 0; j < vector_width; ++j) {
        p.edge[j] = -lane_at_edge(g, first + j, mu, sign);
        p.all_edge &= -(int)p.edge[j];
        p.any_edge |= -(int)p.edge[j];
        p.pick[j] = neighbour_lane(g, first + j, mu, sign) - p.first;
        p.rotated |= p.pick[j] != j;
    }
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

/// The share of these lanes in what stands so many pieces later: as many bytes as they read of a
/// piece, in the order of memory. So the registers of a piece together ask for each line of another
/// one once, and both lines of a row together, as caches fetch them from memory.
QCD_FN const char* share_ahead(const real* block_rows, int count, int pieces, lanes w)
{
    return (const char*)(block_rows + (w.first + pieces * QCD_ROW) * count);
}
enum { share_bytes_a_row = vector_width * QCD_WORD_BITS / 8 };
/// Asks for it into L2: what L1 is filled with too early displaces what it needs now.
QCD_FN void prefetch_share(const real* block_rows, int count, int pieces, lanes w)
{
    const char* ahead = share_ahead(block_rows, count, pieces, w);
    for (int b = 0; b < count * share_bytes_a_row; b += QCD_LINE_BYTES)
        __builtin_prefetch(ahead + b, 0, 2);
}
/// Asks for it into L1.
QCD_FN void request_share(const real* block_rows, int count, int pieces, lanes w)
{
    const char* ahead = share_ahead(block_rows, count, pieces, w);
    for (int b = 0; b < count * share_bytes_a_row; b += QCD_LINE_BYTES)
        __builtin_prefetch(ahead + b, 0, 3);
}
/// Where these lanes begin a piece: asks for the second lines of its rows, which are read next,
/// into L1. A core's own prefetchers follow lines one after the other, not every second one.
QCD_FN void request_rest(const real* block_rows, int count, lanes w)
{
    if (w.first % QCD_ROW != 0) return;
    const char* second = (const char*)(block_rows + own_lanes(count, w)) + QCD_LINE_BYTES;
    for (int r = 0; r < count; ++r) __builtin_prefetch(second + r * QCD_PIECE_BYTES, 0, 3);
}
/// Where these lanes begin a piece: asks for all of it, which they and the next ones read at once.
QCD_FN void request_piece(const void* rows, int count, lanes w)
{
    if (w.first % QCD_ROW != 0) return;
    for (int b = 0; b < count * QCD_PIECE_BYTES; b += QCD_LINE_BYTES)
        __builtin_prefetch((const char*)rows + b, 0, 3);
}
/// Asks for rows that are read at once or very soon, in the order of memory, into L1. Compilers
/// read a spinor's from the last one down and far apart.
QCD_FN void request_rows(const void* rows, int count)
{
    for (int r = 0; r < count; ++r)
        __builtin_prefetch((const char*)rows + r * QCD_PIECE_BYTES, 0, 3);
}

/// Two sums, not one with a chosen lane: the usual one is known early, so that what it asks of the
/// caches is, too (3% of a hop from memory).
QCD_FN const real* stepped_rows(const real* field, int block, int crosses, int rows, tile_shape,
                                int mu, int sign, lanes w)
{
    return crosses ? field + block + lane_offset(pick_of(w, mu, sign)->first, rows)
                   : field + block + own_lanes(rows, w);
}
QCD_FN const math* crossed_face_rows(const math* base, tile_shape, int mu, int sign, lanes w)
{
    return base + lane_offset(pick_of(w, mu, sign)->first, QCD_HALF_ROWS);
}

/// Lane j <- lane pick[j].
QCD_FN vreal picked(vreal v, const lane_pick* p)
{
#if defined(__AVX512F__) && QCD_MATH_BITS == 64
    return _mm512_permutex2var_pd(v, (__m512i)p->pick, v);
#elif defined(__AVX512F__)
    return _mm512_permutex2var_ps(v, (__m512i)p->pick, v);
#elif defined(__AVX2__) && QCD_MATH_BITS == 64 // a double is two floats
    const pick_vector pairs = (p->pick << 1) + (p->pick << 33) + (1LL << 32);
    return (vreal)_mm256_permutevar8x32_ps((__m256)v, (__m256i)pairs);
#elif defined(__AVX2__)
    return _mm256_permutevar8x32_ps(v, (__m256i)p->pick);
#else
    vreal r = v;
    for (int j = 0; j < vector_width; ++j) r[j] = v[p->pick[j]];
    return r;
#endif
}
/// Must what was computed from the rows of a crossing step still be rotated?
QCD_FN int must_rotate(int mu, int sign, lanes w) { return pick_of(w, mu, sign)->rotated; }
QCD_FN vreal rotate(vreal v, int mu, int sign, lanes w) { return picked(v, pick_of(w, mu, sign)); }

/// a in the lanes where `which` is -1, b in the others.
QCD_FN vreal vselect(pick_vector which, vreal a, vreal b)
{
    return (vreal)((which & (pick_vector)a) | (~which & (pick_vector)b));
}
/// rows <- the crossed rows of a face in the lanes at the tile's edge. Out of line, as it is rare:
/// the hop's common path must fit the instruction cache. (Where all lanes are at the edge none
/// rotate: the direction then has no lane bits inside of a register.)
[[maybe_unused]] static __attribute__((noinline)) void mix_face(math* rows, const math* face,
                                                                const lane_pick* p)
{
    for (int r = 0; r < QCD_HALF_ROWS * QCD_ROW; r += QCD_ROW)
        vstore_face(rows + r,
                    vselect(p->edge, picked(vload_face(face + r), p), vload_face(rows + r)));
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
    return vselect(pick_of(w, mu, sign)->edge, vset(-1), vset(1));
}

QCD_END

#pragma once
// How the half spinors of a tile's faces lie in memory: as fields of 6 components, where place
// numbers the blocks along the face and lane is the sender's. Neighbouring tiles number them alike,
// because a face's extents and the parts of all directions are the same on both sides.

#include "codelets/device/shape.h"

QCD_PLAIN_BEGIN

/// Blocks in a face perpendicular to mu. In x every second row has a site on the face.
QCD_FN int face_blocks(tile_shape g, int mu)
{
    return mu == 0 ? g.blocks / g.m[0] / 2 : g.blocks / g.m[mu];
}

/// The place of a block's half spinors in a face perpendicular to mu; the lane is the sender's.
QCD_FN int face_block(tile_shape g, block_place p, int mu)
{
    if (mu == 0) return ((p.i[3] * g.m[2] + p.i[2]) * g.m[1] + p.i[1]) >> 1;
    if (mu == 1) return (p.i[3] * g.m[2] + p.i[2]) * g.m[0] + p.i[0];
    if (mu == 2) return (p.i[3] * g.m[1] + p.i[1]) * g.m[0] + p.i[0];
    return (p.i[2] * g.m[1] + p.i[1]) * g.m[0] + p.i[0];
}

/// The inverse: the block of sites of this parity that fills place `face` of the tile's lower (sign
/// < 0) or upper (sign > 0) face perpendicular to mu.
QCD_FN block_place place_on_face(tile_shape g, int face, int parity, int mu, int sign)
{
    block_place p;
    if (mu == 0) {
        const int rho = sign > 0 ? 1 : 0; // only these rows reach the face
        const int pairs = g.m[1] / 2;
        p.i[1] = 2 * (face % pairs);
        face /= pairs;
        p.i[2] = face % g.m[2];
        p.i[3] = face / g.m[2];
        p.i[1] += row_offset(p, parity) ^ rho;
    } else {
        p.i[0] = face % g.m[0];
        face /= g.m[0];
        if (mu == 1) {
            p.i[2] = face % g.m[2];
            p.i[3] = face / g.m[2];
        } else {
            p.i[1] = face % g.m[1];
            if (mu == 2) p.i[3] = face / g.m[1];
            if (mu == 3) p.i[2] = face / g.m[1];
        }
    }
    p.i[mu] = sign > 0 ? g.m[mu] - 1 : 0;
    return p;
}

/// Flags behind the faces of all right-hand sides in peer memory (runtime/peer_memory.hpp): one for
/// each block of each face, which says that the half spinors are there.
QCD_FN QCD_GLOBAL i64* face_flags(QCD_GLOBAL void* faces, tile_shape g, int mu, int math_bytes,
                                  int all_rhs, int rhs)
{
    const i64 blocks = face_blocks(g, mu);
    return (QCD_GLOBAL i64*)((QCD_GLOBAL char*)faces +
                             all_rhs * blocks * (QCD_HALF_ROWS * QCD_LANES * math_bytes)) +
           rhs * blocks;
}

/// Which half spinors a work item makes: place `place` of face `face` = 2*mu + upper.
typedef struct {
    int face, place;
} face_item;

/// The number of face blocks of a tile, over all cut directions.
QCD_FN int packed_blocks(tile_shape g)
{
    int n = 0;
    for (int mu = 0; mu < 4; ++mu)
        if (g.cut[mu]) n += 2 * face_blocks(g, mu);
    return n;
}

QCD_FN face_item face_item_of(tile_shape g, int item)
{
    face_item it;
    it.face = 0;
    it.place = item;
    for (int face = 0; face < 8; ++face) {
        const int n = g.cut[face / 2] ? face_blocks(g, face / 2) : 0;
        it.face = face;
        if (it.place < n) return it;
        it.place -= n;
    }
    return it;
}

QCD_PLAIN_END

#pragma once
// Half spinors of one block of one face (contract: pack_faces.hpp).

#include "codelets/device/faces.h"
#include "codelets/device/link.h"
#include "codelets/pack_faces/slots.h"

QCD_BEGIN

QCD_FN half_spinor pack_half(QCD_GLOBAL const real* psi, QCD_GLOBAL const real* link, int mu,
                             int sign, int negate_t)
{
    if (sign < 0) return project(mu, +1, load_spinor(psi));
    half_spinor h = link_dagger_mul_half(link, 0, project(mu, -1, load_spinor(psi)));
    if (QCD_LINK_ROWS != 18 && mu == 3 && negate_t)
        h = half_make(colour_scale(vset(-1), h.h0), colour_scale(vset(-1), h.h1));
    return h;
}

/// psi and face of a right-hand side.
typedef struct {
    QCD_GLOBAL const real* psi;
    QCD_GLOBAL math* face;
} packed_buffers;
QCD_FN packed_buffers packed_buffers_of(tile_shape g, QCD_GLOBAL const real* psi,
                                        QCD_GLOBAL math* face, int face_number, int rhs)
{
    packed_buffers f;
    f.psi = psi + rhs * (g.blocks * (QCD_STORED_SPINOR_ROWS * QCD_LANES));
    f.face = face + rhs * (face_blocks(g, face_number / 2) * (QCD_HALF_ROWS * QCD_LANES));
    return f;
}

QCD_FN void pack_faces_site(pack_faces_args a, QCD_GLOBAL const real* psi,
                            QCD_GLOBAL const real* links, QCD_GLOBAL math* face, face_item item,
                            lanes w)
{
    const int mu = item.face / 2, sign = item.face % 2 ? +1 : -1;
    const int block = block_number(a.shape, place_on_face(a.shape, item.place, a.parity, mu, sign));
    QCD_GLOBAL const real* s = psi + spinor_place(block, w);
    QCD_GLOBAL const real* u = links + link_place(a.shape.blocks, mu, block, w);
    QCD_GLOBAL math* out = face + half_place(item.place, w);
    if (mu == 0) store_half(out, pack_half(s, u, 0, sign, a.negate_t));
    if (mu == 1) store_half(out, pack_half(s, u, 1, sign, a.negate_t));
    if (mu == 2) store_half(out, pack_half(s, u, 2, sign, a.negate_t));
    if (mu == 3) store_half(out, pack_half(s, u, 3, sign, a.negate_t));
}

QCD_END

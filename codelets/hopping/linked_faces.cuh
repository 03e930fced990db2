#pragma once
// How the thread blocks of a linked hop (linked_hop.hpp) send faces and wait for those of others.

#include "codelets/device/site_sums.h"
#include "codelets/hopping/bricks.h"
#include "codelets/hopping/slots.h"
#include "codelets/launch/cuda_flags.cuh"
#include "codelets/launch/cuda_launch.cuh"
#include "codelets/pack_faces/site.h"

QCD_BEGIN

/// One of `every` of the first thread blocks of a group of right-hand sides sends; a warp takes one
/// block of a face.
struct sent_faces {
    i64 count; // of the flags; 0: not linked
    int thread_blocks, every;
    void* to[8];
};

/// Packs one block of a face of a right-hand side into a neighbour's memory and raises its flag
/// there.
__device__ inline void send_face_block(const hopping_args& a, const KernelBuffers& p,
                                       const sent_faces& sent, int number, int all_rhs, int rhs,
                                       lanes w)
{
    if (number >= packed_blocks(a.shape) || rhs >= all_rhs) return;
    const face_item item = face_item_of(a.shape, number);
    void* faces = sent.to[item.face];
    if (!gate_closed(gate_of(buffer<const solve_scalars>(p, hopping_gate), rhs))) {
        const packed_buffers f = packed_buffers_of(a.shape, buffer<const real>(p, hopping_psi),
                                                   static_cast<math*>(faces), item.face, rhs);
        pack_faces_site({a.shape, 1 - a.parity, a.negate_t}, f.psi,
                        buffer<const real>(p, hopping_links_other), f.face, item, w);
    }
    __threadfence_system();
    __syncwarp();
    if (w.lane == 0)
        raise_flag(face_flags(faces, a.shape, item.face / 2, sizeof(math), all_rhs, rhs) +
                       item.place,
                   sent.count);
}

/// Waits until the half spinors of a right-hand side are there that a block needs of other tiles.
__device__ inline void await_faces(const hopping_args& a, const KernelBuffers& p, block_place place,
                                   const block_steps& n, i64 count, int all_rhs, int rhs)
{
    const auto await_face = [&](int mu, int face) {
        await_flag(face_flags(p.p[hopping_faces + face], a.shape, mu, sizeof(math), all_rhs, rhs) +
                       face_block(a.shape, place, mu),
                   count);
    };
    for (int mu = 0; mu < 4; ++mu) {
        if (!a.shape.cut[mu]) continue;
        if (n.forward[mu].crosses) await_face(mu, 2 * mu);
        if (n.backward[mu].crosses) await_face(mu, 2 * mu + 1);
    }
}

/// Where faces come, the time slices at the tile's ends are computed in the middle, so that their
/// faces arrive meanwhile.
QCD_FN int time_slice(int slices, int number) { return (number + slices / 2) % slices; }

/// Stores to another GPU keep a multiprocessor busy, but leave the memory to other thread blocks:
/// only some of the first send (1% of a hop, H200). A GPU starts thread blocks in their order: none
/// may wait for another GPU before the last one of this has sent what is of its group.
inline int spread_of_senders(const tile_shape& g, const hopping_bricks& n, int senders)
{
    constexpr int most = 4;
    const bool only_t = !g.cut[0] && !g.cut[1] && !g.cut[2];
    const int slices_first = g.m[3] / 2 / n.extent[3] - 1; // of bricks: none of these waits
    const int bricks_first = only_t ? n.x * n.y * n.z_chunk * std::max(0, slices_first) : 0;
    return senders > 0 ? std::min(most, 1 + bricks_first / senders) : 1;
}

QCD_END

#include "codelets/device/faces.h"
#include "codelets/launch/cpu_flags.hpp"
#include "codelets/launch/cpu_launch.hpp"
#include "codelets/linked_hop/slots.h"
#include "codelets/pack_faces/slots.h"

QCD_BEGIN

void pack_faces_cpu(const void* args, void* const* p, CpuShare);
void hopping_cpu(const void* args, void* const* p, CpuShare);

/// Calls f(flag) for that of each block of the faces in slots `first` to `first` + 7.
template <class F>
static void for_each_flag(const tile_shape& g, void* const* p, int first, int all_rhs, const F& f)
{
    for (int i = 0; i < packed_blocks(g); ++i) {
        const face_item item = face_item_of(g, i);
        for (int rhs = 0; rhs < all_rhs; ++rhs)
            f(face_flags(p[first + item.face], g, item.face / 2, sizeof(math), all_rhs, rhs) +
              item.place);
    }
}

static void send_faces(const hopping_args& a, void* const* p, int rhs)
{
    const pack_faces_args packing = {a.shape, 1 - a.parity, a.negate_t};
    void* slots[pack_faces_slots] = {p[hopping_psi], p[hopping_links_other], p[hopping_gate]};
    for (int face = 0; face < 8; ++face)
        slots[pack_faces_faces + face] = p[linked_hop_outbox + face];
    pack_faces_cpu(&packing, slots, {.layers = rhs});
}

void linked_hop_cpu(const void* args, void* const* p, CpuShare share)
{
    if (share.index > 0) return;
    const auto& a = *static_cast<const linked_hop_args*>(args);
    const tile_shape& g = a.hop.shape;
    send_faces(a.hop, p, share.layers);
    for_each_flag(g, p, linked_hop_outbox, share.layers,
                  [&](i64* flag) { raise_flag(flag, a.count); });
    for_each_flag(g, p, hopping_faces, share.layers, // as many come as go
                  [&](i64* flag) { await_flag(flag, a.count); });
    hopping_cpu(&a.hop, p, {.downwards = share.downwards, .layers = share.layers});
}

QCD_END

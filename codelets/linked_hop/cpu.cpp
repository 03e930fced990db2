#include "codelets/device/faces.h"
#include "codelets/launch/cpu_flags.hpp"
#include "codelets/launch/cpu_launch.hpp"
#include "codelets/linked_hop/slots.h"
#include "codelets/pack_faces/slots.h"

QCD_BEGIN

void pack_faces_cpu(const void* args, void* const* p, CpuShare);
void hopping_cpu(const void* args, void* const* p, CpuShare);

static void send_faces(const hopping_args& a, long long count, void* const* p)
{
    const pack_faces_args packing = {a.shape, 1 - a.parity, a.negate_t};
    void* slots[pack_faces_slots] = {p[hopping_psi], p[hopping_links_other], p[hopping_gate]};
    for (int face = 0; face < 8; ++face)
        slots[pack_faces_faces + face] = p[linked_hop_outbox + face];
    pack_faces_cpu(&packing, slots, {});
    for (int i = 0; i < packed_blocks(a.shape); ++i) {
        const face_item item = face_item_of(a.shape, i);
        raise_flag(
            face_flags(slots[pack_faces_faces + item.face], a.shape, item.face / 2, sizeof(math)) +
                item.place,
            count);
    }
}

static void await_faces(const hopping_args& a, long long count, void* const* p)
{
    for (int i = 0; i < packed_blocks(a.shape); ++i) { // as many come as go
        const face_item item = face_item_of(a.shape, i);
        await_flag(face_flags(p[hopping_faces + item.face], a.shape, item.face / 2, sizeof(math)) +
                       item.place,
                   count);
    }
}

void linked_hop_cpu(const void* args, void* const* p, CpuShare share)
{
    if (share.index > 0) return;
    const auto& a = *static_cast<const linked_hop_args*>(args);
    send_faces(a.hop, a.count, p);
    await_faces(a.hop, a.count, p);
    hopping_cpu(&a.hop, p, {.downwards = share.downwards});
}

QCD_END

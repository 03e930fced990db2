#include "codelets/launch/cpu_launch.hpp"
#include "codelets/pack_faces/site.h"

QCD_BEGIN

void pack_faces_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const pack_faces_args*>(args);
    const auto* gate = buffer<const solve_scalars>(p, pack_faces_gate);
    const int items = packed_blocks(a.shape);
    for (int i = share.first(items); i < share.end(items); ++i) {
        const face_item item = face_item_of(a.shape, i);
        for (int rhs = 0; rhs < share.layers; ++rhs) {
            if (gate_closed(gate_of(gate, rhs))) continue;
            const packed_buffers f =
                packed_buffers_of(a.shape, buffer<const real>(p, pack_faces_psi),
                                  buffer<math>(p, pack_faces_faces + item.face), item.face, rhs);
            for_each_group([&](lanes w) {
                pack_faces_site(a, f.psi, buffer<const real>(p, pack_faces_links), f.face, item, w);
            });
        }
    }
}

QCD_END

#include "codelets/launch/opencl_launch.h"
#include "codelets/pack_faces/site.h"

QCD_SLOT_KERNEL(pack_faces)
{
    if (gate_closed(gate_of(gate, own_rhs()))) return;
    const lane_position at = own_position();
    if (at.block >= packed_blocks(a.shape)) return;
    const face_item item = face_item_of(a.shape, at.block);
    const pack_faces_buffers all = {QCD_SLOT_VALUES(pack_faces)};
    const packed_buffers f =
        packed_buffers_of(a.shape, psi, all.faces[item.face], item.face, own_rhs());
    pack_faces_site(a, f.psi, links, f.face, item, at.w);
}

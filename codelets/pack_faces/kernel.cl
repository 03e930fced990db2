#include "codelets/launch/opencl_launch.h"
#include "codelets/pack_faces/site.h"

QCD_KERNEL pack_faces_kernel(pack_faces_args a, QCD_GLOBAL const real* psi,
                             QCD_GLOBAL const real* links, QCD_GLOBAL const solve_scalars* gate,
                             QCD_GLOBAL math* xl, QCD_GLOBAL math* xu, QCD_GLOBAL math* yl,
                             QCD_GLOBAL math* yu, QCD_GLOBAL math* zl, QCD_GLOBAL math* zu,
                             QCD_GLOBAL math* tl, QCD_GLOBAL math* tu)
{
    if (gate_closed(gate_of(gate, own_rhs()))) return;
    const lane_position at = own_position();
    if (at.block >= packed_blocks(a.shape)) return;
    const face_item item = face_item_of(a.shape, at.block);
    QCD_GLOBAL math* faces[8] = {xl, xu, yl, yu, zl, zu, tl, tu};
    const packed_buffers f =
        packed_buffers_of(a.shape, psi, faces[item.face], item.face, own_rhs());
    pack_faces_site(a, f.psi, links, f.face, item, at.w);
}

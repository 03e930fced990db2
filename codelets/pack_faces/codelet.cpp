#include "codelets/device/faces.h"
#include "codelets/pack_faces/pack_faces.hpp"
#include "codelets/registration.hpp"

namespace
{

using namespace qcd;

int blocks(const void* args)
{
    return packed_blocks(static_cast<const pack_faces_args*>(args)->shape);
}

/// A lower face's site is 12, an upper one's 144. Of a face's blocks the lanes of one part in mu
/// are at the tile's end.
double flops(const void* args, unsigned)
{
    const tile_shape& g = static_cast<const pack_faces_args*>(args)->shape;
    double sites = 0; // of the faces on one side
    for (int mu = 0; mu < 4; ++mu)
        if (g.cut[mu])
            sites += double(face_blocks(g, mu)) * lanes_in_use(g) / (1 + (g.mask[mu] >> g.bit[mu]));
    return (12 + 144) * sites;
}

} // namespace

QCD_OPERATION(half_links, pack_faces, .blocks = blocks, .flops = flops,
              .idle = behind_closed_gate_of<pack_faces_gate>, .sweeps = false, .urgent = true)

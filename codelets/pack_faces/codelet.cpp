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

/// A lower face's site is 12, an upper one's 144.
double flops(const void* args, unsigned) { return (12 + 144) / 2.0 * QCD_LANES * blocks(args); }

} // namespace

QCD_OPERATION(half_links, pack_faces,
              .slots = {{.name = "psi", .holds = "spinor", .in_part = true},
                        {.name = "links", .holds = "links", .in_part = true},
                        slot::optional(slot::scalars("gate")),
                        slot::faces("faces", Mode::writes)},
              .blocks = blocks, .flops = flops, .idle = behind_closed_gate_of<pack_faces_gate>,
              .sweeps = false, .urgent = true)

#include "codelets/pack_faces/pack_faces.hpp"

#include "codelets/device/faces.h"
#include "runtime/registration.hpp"

QCD_LINK_OPERATION(
    pack_faces, .gate_slot = pack_faces_gate,
    .blocks =
        [](const void* args) {
            return packed_blocks(static_cast<const pack_faces_args*>(args)->shape);
        },
    .all_sites = false)

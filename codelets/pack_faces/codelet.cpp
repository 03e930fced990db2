#include "codelets/pack_faces/pack_faces.hpp"

#include "codelets/device/faces.h"

QCD_DECLARE_RESIDUAL_KERNELS(pack_faces)

namespace qcd
{

const Codelet& pack_faces_codelet(Precision precision)
{
    using Args = pack_faces_args;
    static const CodeletFamily family(
        "pack_faces", QCD_RESIDUAL_KERNELS(pack_faces), sizeof(Args), pack_faces_slots, -1,
        [](const void* a) { return packed_blocks(static_cast<const Args*>(a)->shape); });
    return family[precision];
}

} // namespace qcd

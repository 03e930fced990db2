#include "codelets/pack_faces/pack_faces.hpp"

#include "codelets/device/faces.h"

QCD_DECLARE_LINK_KERNELS(pack_faces)

namespace qcd
{

const Codelet& pack_faces_codelet(Precision precision, LinkStorage links)
{
    using Args = pack_faces_args;
    static const ByLinkStorage<CodeletFamily> families([](LinkStorage storage) {
        return new CodeletFamily(
            {.name = "pack_faces",
             .args_size = sizeof(Args),
             .slots = pack_faces_slots,
             .blocks =
                 [](const void* a) { return packed_blocks(static_cast<const Args*>(a)->shape); },
             .links = storage},
            QCD_LINK_KERNELS(pack_faces, storage));
    });
    return families[links][precision];
}

} // namespace qcd

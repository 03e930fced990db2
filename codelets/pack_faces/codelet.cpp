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
            "pack_faces", QCD_LINK_KERNELS(pack_faces, storage), sizeof(Args), pack_faces_slots, -1,
            [](const void* a) { return packed_blocks(static_cast<const Args*>(a)->shape); },
            nullptr, storage);
    });
    return families[links][precision];
}

} // namespace qcd

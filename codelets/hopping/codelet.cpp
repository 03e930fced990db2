#include "codelets/hopping/hopping.hpp"

QCD_DECLARE_LINK_KERNELS(hopping)

namespace qcd
{

const Codelet& hopping_codelet(Precision precision, LinkStorage links)
{
    using Args = hopping_args;
    static const ByLinkStorage<CodeletFamily> families([](LinkStorage storage) {
        return new CodeletFamily(
            "hopping", QCD_LINK_KERNELS(hopping, storage), sizeof(Args), hopping_slots,
            hopping_sums, [](const void* a) { return static_cast<const Args*>(a)->shape.blocks; },
            [](const void* a) { return static_cast<const Args*>(a)->part == QCD_HOPPING_BOUNDARY; },
            storage);
    });
    return families[links][precision];
}

} // namespace qcd

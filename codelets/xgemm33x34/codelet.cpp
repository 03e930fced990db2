#include "codelets/xgemm33x34/xgemm33x34.hpp"

QCD_DECLARE_LINK_KERNELS(xgemm33x34)

namespace qcd
{

const Codelet& xgemm33x34_codelet(Precision precision, LinkStorage links)
{
    using Args = xgemm33x34_args;
    static const ByLinkStorage<CodeletFamily> families([](LinkStorage storage) {
        return new CodeletFamily(
            "xgemm33x34", QCD_LINK_KERNELS(xgemm33x34, storage), sizeof(Args), xgemm33x34_slots, -1,
            [](const void* a) { return static_cast<const Args*>(a)->blocks; }, nullptr, storage);
    });
    return families[links][precision];
}

} // namespace qcd

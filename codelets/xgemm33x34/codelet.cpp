#include "codelets/xgemm33x34/xgemm33x34.hpp"

QCD_DECLARE_LINK_KERNELS(xgemm33x34)

namespace qcd
{

const Codelet& xgemm33x34_codelet(Precision precision, LinkStorage links)
{
    static const ByLinkStorage<CodeletFamily> families([](LinkStorage storage) {
        return new CodeletFamily({.name = "xgemm33x34",
                                  .args_size = sizeof(xgemm33x34_args),
                                  .slots = xgemm33x34_slots,
                                  .blocks = blocks_in<xgemm33x34_args>,
                                  .links = storage},
                                 QCD_LINK_KERNELS(xgemm33x34, storage));
    });
    return families[links][precision];
}

} // namespace qcd

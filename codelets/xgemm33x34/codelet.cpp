#include "codelets/xgemm33x34/xgemm33x34.hpp"

QCD_DECLARE_KERNELS(xgemm33x34)

namespace qcd
{

const Codelet& xgemm33x34_codelet(Precision precision)
{
    using Args = xgemm33x34_args;
    static const CodeletFamily family(
        "xgemm33x34", QCD_KERNELS(xgemm33x34), sizeof(Args), xgemm33x34_slots, -1,
        [](const void* a) { return static_cast<const Args*>(a)->blocks; });
    return family[precision];
}

} // namespace qcd

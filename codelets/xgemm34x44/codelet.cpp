#include "codelets/xgemm34x44/xgemm34x44.hpp"

QCD_DECLARE_KERNELS(xgemm34x44)

namespace qcd
{

const Codelet& xgemm34x44_codelet(Precision precision)
{
    using Args = xgemm34x44_args;
    static const CodeletFamily family(
        "xgemm34x44", QCD_KERNELS(xgemm34x44), sizeof(Args), xgemm34x44_slots, -1,
        [](const void* a) { return static_cast<const Args*>(a)->blocks; });
    return family[precision];
}

} // namespace qcd

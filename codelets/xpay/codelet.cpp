#include "codelets/xpay/xpay.hpp"

QCD_DECLARE_KERNELS(xpay)

namespace qcd
{

const Codelet& xpay_codelet(Precision precision)
{
    using Args = xpay_args;
    static const CodeletFamily family(
        "xpay", QCD_KERNELS(xpay), sizeof(Args), xpay_slots, -1,
        [](const void* a) { return static_cast<const Args*>(a)->blocks; });
    return family[precision];
}

} // namespace qcd

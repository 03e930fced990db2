#include "codelets/xpay/xpay.hpp"

QCD_DECLARE_KERNELS(xpay)

namespace qcd
{

const Codelet& xpay_codelet(Precision precision)
{
    static const CodeletFamily family({.name = "xpay",
                                       .args_size = sizeof(xpay_args),
                                       .slots = xpay_slots,
                                       .blocks = blocks_in<xpay_args>},
                                      QCD_KERNELS(xpay));
    return family[precision];
}

} // namespace qcd

#include "codelets/xgemm34x44/xgemm34x44.hpp"

QCD_DECLARE_KERNELS(xgemm34x44)

namespace qcd
{

const Codelet& xgemm34x44_codelet(Precision precision)
{
    static const CodeletFamily family({.name = "xgemm34x44",
                                       .args_size = sizeof(xgemm34x44_args),
                                       .slots = xgemm34x44_slots,
                                       .blocks = blocks_in<xgemm34x44_args>},
                                      QCD_KERNELS(xgemm34x44));
    return family[precision];
}

} // namespace qcd

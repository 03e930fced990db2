#include "codelets/dot/dot.hpp"

QCD_DECLARE_KERNELS(dot)

namespace qcd
{

const Codelet& dot_codelet(Precision precision)
{
    static const CodeletFamily family({.name = "dot",
                                       .args_size = sizeof(dot_args),
                                       .slots = dot_slots,
                                       .sums_slot = dot_sums,
                                       .blocks = blocks_in<dot_args>,
                                       .staying_groups = QCD_DOT_GROUPS},
                                      QCD_KERNELS(dot));
    return family[precision];
}

} // namespace qcd

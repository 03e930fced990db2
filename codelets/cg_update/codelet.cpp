#include "codelets/cg_update/cg_update.hpp"

QCD_DECLARE_KERNELS(cg_update)

namespace qcd
{

const Codelet& cg_update_codelet(Precision precision)
{
    static const CodeletFamily family({.name = "cg_update",
                                       .args_size = sizeof(cg_update_args),
                                       .slots = cg_update_slots,
                                       .sums_slot = cg_update_sums,
                                       .blocks = blocks_in<cg_update_args>},
                                      QCD_KERNELS(cg_update));
    return family[precision];
}

} // namespace qcd

#include "codelets/cr_update/cr_update.hpp"

QCD_DECLARE_KERNELS(cr_update)

namespace qcd
{

const Codelet& cr_update_codelet(Precision precision)
{
    static const CodeletFamily family({.name = "cr_update",
                                       .args_size = sizeof(cr_update_args),
                                       .slots = cr_update_slots,
                                       .sums_slot = cr_update_sums,
                                       .blocks = blocks_in<cr_update_args>},
                                      QCD_KERNELS(cr_update));
    return family[precision];
}

} // namespace qcd

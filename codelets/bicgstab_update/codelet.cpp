#include "codelets/bicgstab_update/bicgstab_update.hpp"

QCD_DECLARE_KERNELS(bicgstab_update)

namespace qcd
{

const Codelet& bicgstab_update_codelet(Precision precision)
{
    static const CodeletFamily family({.name = "bicgstab_update",
                                       .args_size = sizeof(bicgstab_update_args),
                                       .slots = bicgstab_update_slots,
                                       .sums_slot = bicgstab_update_sums,
                                       .blocks = blocks_in<bicgstab_update_args>},
                                      QCD_KERNELS(bicgstab_update));
    return family[precision];
}

} // namespace qcd

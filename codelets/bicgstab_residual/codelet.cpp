#include "codelets/bicgstab_residual/bicgstab_residual.hpp"

QCD_DECLARE_KERNELS(bicgstab_residual)

namespace qcd
{

const Codelet& bicgstab_residual_codelet(Precision precision)
{
    static const CodeletFamily family({.name = "bicgstab_residual",
                                       .args_size = sizeof(bicgstab_residual_args),
                                       .slots = bicgstab_residual_slots,
                                       .sums_slot = bicgstab_residual_sums,
                                       .blocks = blocks_in<bicgstab_residual_args>},
                                      QCD_KERNELS(bicgstab_residual));
    return family[precision];
}

} // namespace qcd

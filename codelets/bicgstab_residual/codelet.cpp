#include "codelets/bicgstab_residual/bicgstab_residual.hpp"

QCD_DECLARE_KERNELS(bicgstab_residual)

namespace qcd
{

const Codelet& bicgstab_residual_codelet(Precision precision)
{
    using Args = bicgstab_residual_args;
    static const CodeletFamily family(
        "bicgstab_residual", QCD_KERNELS(bicgstab_residual), sizeof(Args), bicgstab_residual_slots,
        bicgstab_residual_sums, [](const void* a) { return static_cast<const Args*>(a)->blocks; });
    return family[precision];
}

} // namespace qcd

#include "codelets/bicgstab_update/bicgstab_update.hpp"

QCD_DECLARE_KERNELS(bicgstab_update)

namespace qcd
{

const Codelet& bicgstab_update_codelet(Precision precision)
{
    using Args = bicgstab_update_args;
    static const CodeletFamily family(
        "bicgstab_update", QCD_KERNELS(bicgstab_update), sizeof(Args), bicgstab_update_slots,
        bicgstab_update_sums, [](const void* a) { return static_cast<const Args*>(a)->blocks; });
    return family[precision];
}

} // namespace qcd

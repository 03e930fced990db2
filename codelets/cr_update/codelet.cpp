#include "codelets/cr_update/cr_update.hpp"

QCD_DECLARE_KERNELS(cr_update)

namespace qcd
{

const Codelet& cr_update_codelet(Precision precision)
{
    using Args = cr_update_args;
    static const CodeletFamily family(
        "cr_update", QCD_KERNELS(cr_update), sizeof(Args), cr_update_slots, cr_update_sums,
        [](const void* a) { return static_cast<const Args*>(a)->blocks; });
    return family[precision];
}

} // namespace qcd

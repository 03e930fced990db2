#include "codelets/cg_update/cg_update.hpp"

QCD_DECLARE_KERNELS(cg_update)

namespace qcd
{

const Codelet& cg_update_codelet(Precision precision)
{
    using Args = cg_update_args;
    static const CodeletFamily family(
        "cg_update", QCD_KERNELS(cg_update), sizeof(Args), cg_update_slots, cg_update_sums,
        [](const void* a) { return static_cast<const Args*>(a)->blocks; });
    return family[precision];
}

} // namespace qcd

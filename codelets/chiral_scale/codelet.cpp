#include "codelets/chiral_scale/chiral_scale.hpp"

QCD_DECLARE_KERNELS(chiral_scale)

namespace qcd
{

const Codelet& chiral_scale_codelet(Precision precision)
{
    using Args = chiral_scale_args;
    static const CodeletFamily family(
        "chiral_scale", QCD_KERNELS(chiral_scale), sizeof(Args), chiral_scale_slots, -1,
        [](const void* a) { return static_cast<const Args*>(a)->blocks; });
    return family[precision];
}

} // namespace qcd

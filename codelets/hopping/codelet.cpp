#include "codelets/hopping/hopping.hpp"

QCD_DECLARE_RESIDUAL_KERNELS(hopping)

namespace qcd
{

const Codelet& hopping_codelet(Precision precision)
{
    using Args = hopping_args;
    static const CodeletFamily family(
        "hopping", QCD_RESIDUAL_KERNELS(hopping), sizeof(Args), hopping_slots, hopping_sums,
        [](const void* a) { return static_cast<const Args*>(a)->shape.blocks; },
        [](const void* a) { return static_cast<const Args*>(a)->part == QCD_HOPPING_BOUNDARY; });
    return family[precision];
}

} // namespace qcd

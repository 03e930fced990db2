#include "codelets/dot/dot.hpp"

QCD_DECLARE_KERNELS(dot)

namespace qcd
{

const Codelet& dot_codelet(Precision precision)
{
    using Args = dot_args;
    static const CodeletFamily family(
        "dot", QCD_KERNELS(dot), sizeof(Args), dot_slots, dot_sums,
        [](const void* a) { return static_cast<const Args*>(a)->blocks; });
    return family[precision];
}

} // namespace qcd

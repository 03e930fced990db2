#include "codelets/coefficients/coefficients.hpp"

QCD_DECLARE_KERNELS(coefficients)

namespace qcd
{

const Codelet& coefficients_codelet(Precision precision)
{
    static const CodeletFamily family(
        {.name = "coefficients",
         .args_size = sizeof(coefficients_args),
         .slots = coefficients_slots,
         .blocks = [](const void*) { return 1; },
         .scalars = true,
         .clears = 1u << coefficients_sums_a | 1u << coefficients_sums_b},
        QCD_KERNELS(coefficients));
    return family[precision];
}

} // namespace qcd

#include "codelets/coefficients/coefficients.hpp"

QCD_DECLARE_SCALAR_KERNELS(coefficients)

namespace qcd
{

const Codelet& coefficients_codelet()
{
    static const CodeletFamily family(
        {.name = "coefficients",
         .args_size = sizeof(coefficients_args),
         .slots = coefficients_slots,
         .blocks = [](const void*) { return 1; },
         .scalars = true,
         .clears = 1u << coefficients_sums_a | 1u << coefficients_sums_b},
        QCD_SCALAR_KERNELS(coefficients));
    return family[Precision::f64];
}

} // namespace qcd

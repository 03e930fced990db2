#include "codelets/linked_coefficients/linked_coefficients.hpp"

QCD_DECLARE_SCALAR_KERNELS(linked_coefficients)

namespace qcd
{

const Codelet& linked_coefficients_codelet()
{
    static const CodeletFamily family(
        {.name = "linked_coefficients",
         .args_size = sizeof(linked_coefficients_args),
         .slots = linked_coefficients_slots,
         .blocks = [](const void*) { return 1; },
         .opencl = false,
         .clears = 1u << coefficients_sums_a | 1u << coefficients_sums_b |
                   1u << linked_coefficients_more_a | 1u << linked_coefficients_more_b},
        QCD_SCALAR_KERNELS(linked_coefficients));
    return family[Precision::f64];
}

} // namespace qcd

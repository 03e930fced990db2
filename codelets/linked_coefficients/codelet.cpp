#include "codelets/linked_coefficients/linked_coefficients.hpp"

QCD_DECLARE_KERNELS(linked_coefficients)

namespace qcd
{

const Codelet& linked_coefficients_codelet(Precision precision)
{
    static const CodeletFamily family(
        "linked_coefficients", QCD_KERNELS(linked_coefficients), sizeof(linked_coefficients_args),
        linked_coefficients_slots, -1, [](const void*) { return 1; }, nullptr, LinkStorage::full,
        nullptr, false,
        1u << coefficients_sums_a | 1u << coefficients_sums_b | 1u << linked_coefficients_more_a |
            1u << linked_coefficients_more_b);
    return family[precision];
}

} // namespace qcd

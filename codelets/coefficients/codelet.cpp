#include "codelets/coefficients/coefficients.hpp"

QCD_DECLARE_KERNELS(coefficients)

namespace qcd
{

const Codelet& coefficients_codelet(Precision precision)
{
    static const CodeletFamily family(
        "coefficients", QCD_KERNELS(coefficients), sizeof(coefficients_args), coefficients_slots,
        -1, [](const void*) { return 1; }, nullptr, LinkStorage::full, nullptr, true,
        1u << coefficients_sums_a | 1u << coefficients_sums_b);
    return family[precision];
}

} // namespace qcd

#include "codelets/coefficients/coefficients.hpp"
#include "runtime/registration.hpp"

QCD_SCALAR_OPERATION(
    coefficients, .blocks = [](const void*) { return 1; }, .scalars = true,
    .clears = 1u << coefficients_sums_a | 1u << coefficients_sums_b)

#include "codelets/linked_coefficients/linked_coefficients.hpp"
#include "runtime/registration.hpp"

QCD_SCALAR_OPERATION(
    linked_coefficients, .blocks = [](const void*) { return 1; }, .opencl = false,
    .clears = 1u << coefficients_sums_a | 1u << coefficients_sums_b |
              1u << linked_coefficients_more_a | 1u << linked_coefficients_more_b)

#include "codelets/coefficients/coefficients.hpp"
#include "codelets/registration.hpp"

QCD_SCALAR_OPERATION(
    coefficients, .slots = coefficients_table(), .blocks = [](const void*) { return 1; })

std::vector<qcd::Slot> qcd::coefficients_table()
{
    return {slot::scalars("out", Mode::writes), slot::optional(slot::scalars("previous")),
            slot::optional(slot::sums_read("sums_a")), slot::optional(slot::sums_read("sums_b"))};
}

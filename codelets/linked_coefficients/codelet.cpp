#include "codelets/coefficients/coefficients.hpp"
#include "codelets/linked_coefficients/linked_coefficients.hpp"
#include "codelets/registration.hpp"

namespace
{

using namespace qcd;

std::vector<Slot> table()
{
    std::vector<Slot> slots = coefficients_table();
    slots.insert(slots.end(), {slot::order(),
                               slot::optional(slot::sums_read("more_a")),
                               slot::optional(slot::sums_read("more_b")),
                               {.name = "inbox", .holds = "peer memory"},
                               {.name = "outbox",
                                .holds = "peer memory",
                                .mode = Mode::writes,
                                .optional = true,
                                .count = QCD_MOST_PEERS}});
    return slots;
}

} // namespace

QCD_SCALAR_OPERATION(
    linked_coefficients, .slots = table(), .blocks = [](const void*) { return 1; })

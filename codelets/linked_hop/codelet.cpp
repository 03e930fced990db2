#include "codelets/hopping/hopping.hpp"
#include "codelets/linked_hop/linked_hop.hpp"
#include "codelets/registration.hpp"

namespace
{

using namespace qcd;

std::vector<Slot> table()
{
    std::vector<Slot> slots = hopping_table();
    slots.insert(slots.end(), {slot::order(), slot::faces("outbox", Mode::writes)});
    return slots;
}

} // namespace

QCD_OPERATION(
    half_links, linked_hop, .slots = table(), .blocks = [](const void*) { return 1; },
    .flops = hopping_flops, .idle = behind_closed_gate_of<hopping_gate>)

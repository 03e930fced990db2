#include "codelets/linked_hop/linked_hop.hpp"
#include "runtime/registration.hpp"

QCD_LINK_OPERATION(
    linked_hop, .sums_slot = hopping_sums, .gate_slot = hopping_gate,
    .blocks = [](const void*) { return 1; }, .opencl = false)

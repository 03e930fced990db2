#include "codelets/linked_hop/linked_hop.hpp"
#include "codelets/runtime/registration.hpp"

QCD_LINK_OPERATION(
    linked_hop, .sums_slot = hopping_sums, .blocks = [](const void*) { return 1; }, .opencl = false)

#include "codelets/hopping/hopping.hpp"
#include "codelets/linked_hop/linked_hop.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(half_links, linked_hop, .blocks = one_block, .flops = hopping_flops,
              .idle = behind_closed_gate_of<hopping_gate>)

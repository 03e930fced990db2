#include "codelets/gauge/link_plaquettes/link_plaquettes.hpp"
#include "codelets/gauge/registration.hpp"

QCD_OPERATION(gauge, link_plaquettes, .blocks = blocks_in,
              .flops = flops_a_site<link_plaquettes_flops>, .sweeps = false)

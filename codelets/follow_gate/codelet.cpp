#include "codelets/follow_gate/follow_gate.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(scalars, follow_gate, .blocks = one_block, .sweeps = false, .urgent = true)

#include "codelets/follow_gate/follow_gate.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(
    scalars, follow_gate, .slots = {slot::scalars("inner", Mode::updates), slot::scalars("outer")},
    .blocks = [](const void*) { return 1; }, .sweeps = false, .urgent = true)

#include "codelets/registration.hpp"
#include "codelets/widen/widen.hpp"

QCD_OPERATION(mixed, widen,
              .slots = {slot::spinor("out", Mode::writes), slot::spinor("in", Mode::reads),
                        slot::optional(slot::scalars("gate"))},
              .blocks = blocks_in<widen_args>, .idle = behind_closed_gate_of<widen_gate>)

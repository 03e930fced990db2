#include "codelets/chiral_scale/chiral_scale.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(half_fields, chiral_scale,
              .slots = {slot::spinor("out", Mode::writes),
                        slot::optional(slot::spinor("in", Mode::reads)),
                        slot::optional(slot::scalars("gate"))},
              .blocks = blocks_in<chiral_scale_args>, .flops = flops_a_site<chiral_scale_args, 72>,
              .idle = behind_closed_gate_of<chiral_scale_gate>)

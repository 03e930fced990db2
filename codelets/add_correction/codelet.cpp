#include "codelets/add_correction/add_correction.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(mixed, add_correction,
              .slots = {slot::spinor("y", Mode::updates), slot::spinor("x", Mode::reads),
                        slot::optional(slot::spinor("before", Mode::reads)),
                        slot::optional(slot::spinor("p", Mode::reads)),
                        slot::optional(slot::scalars("steps"))},
              .blocks = blocks_in<add_correction_args>,
              .flops = flops_with<add_correction_args, add_correction_steps, 216, 24>)

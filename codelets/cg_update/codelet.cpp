#include "codelets/cg_update/cg_update.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(half_fields, cg_update,
              .slots = {slot::optional(slot::spinor("x", Mode::updates)),
                        slot::spinor("next", Mode::updates), slot::spinor("p", Mode::reads),
                        slot::spinor("z", Mode::reads), slot::scalars("scalars")},
              .blocks = blocks_in<cg_update_args>,
              .flops = flops_with<cg_update_args, cg_update_x, 288, 96>,
              .idle = behind_closed_gate_of<cg_update_scalars>)

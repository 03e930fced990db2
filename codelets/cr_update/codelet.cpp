#include "codelets/cr_update/cr_update.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(half_fields, cr_update,
              .slots = {slot::optional(slot::spinor("x", Mode::updates)),
                        slot::spinor("r", Mode::updates), slot::spinor("p", Mode::updates),
                        slot::spinor("Ap", Mode::updates), slot::spinor("Ar", Mode::reads),
                        slot::scalars("scalars"), slot::sums("sums")},
              .blocks = blocks_in<cr_update_args>,
              .flops = flops_with<cr_update_args, cr_update_x, 528, 336>,
              .idle = behind_closed_gate_of<cr_update_scalars>)

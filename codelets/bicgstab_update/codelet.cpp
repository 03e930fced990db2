#include "codelets/bicgstab_update/bicgstab_update.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(half_fields, bicgstab_update,
              .slots = {slot::spinor("x", Mode::updates), slot::spinor("r", Mode::updates),
                        slot::spinor("p", Mode::updates), slot::spinor("v", Mode::reads),
                        slot::spinor("t", Mode::reads), slot::scalars("scalars"),
                        slot::sums("sums")},
              .blocks = blocks_in<bicgstab_update_args>,
              .flops = flops_a_site<bicgstab_update_args, 528>,
              .idle = behind_closed_gate_of<bicgstab_update_scalars>)

#include "codelets/bicgstab_residual/bicgstab_residual.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(half_fields, bicgstab_residual,
              .slots = {slot::spinor("r", Mode::updates), slot::spinor("v", Mode::reads),
                        slot::spinor("shadow", Mode::reads), slot::scalars("scalars"),
                        slot::sums("sums")},
              .blocks = blocks_in<bicgstab_residual_args>,
              .flops = flops_a_site<bicgstab_residual_args, 240>,
              .idle = behind_closed_gate_of<bicgstab_residual_scalars>)

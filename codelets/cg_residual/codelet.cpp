#include "codelets/cg_residual/cg_residual.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(half_fields, cg_residual,
              .slots = {slot::spinor("r", Mode::updates), slot::spinor("q", Mode::reads),
                        slot::scalars("scalars"), slot::sums("sums")},
              .blocks = blocks_in<cg_residual_args>, .flops = flops_a_site<cg_residual_args, 144>,
              .idle = behind_closed_gate_of<cg_residual_scalars>)

#include "codelets/cg_residual/cg_residual.hpp"
#include "runtime/registration.hpp"

QCD_OPERATION(cg_residual, .sums_slot = cg_residual_sums, .gate_slot = cg_residual_scalars,
              .blocks = blocks_in<cg_residual_args>)

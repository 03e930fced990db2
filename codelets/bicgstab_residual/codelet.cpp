#include "codelets/bicgstab_residual/bicgstab_residual.hpp"
#include "runtime/registration.hpp"

QCD_OPERATION(bicgstab_residual, .sums_slot = bicgstab_residual_sums,
              .gate_slot = bicgstab_residual_scalars, .blocks = blocks_in<bicgstab_residual_args>)

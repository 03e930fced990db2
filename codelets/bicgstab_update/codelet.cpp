#include "codelets/bicgstab_update/bicgstab_update.hpp"
#include "runtime/registration.hpp"

QCD_OPERATION(bicgstab_update, .sums_slot = bicgstab_update_sums,
              .gate_slot = bicgstab_update_scalars, .blocks = blocks_in<bicgstab_update_args>)

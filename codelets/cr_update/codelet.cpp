#include "codelets/cr_update/cr_update.hpp"
#include "runtime/registration.hpp"

QCD_OPERATION(cr_update, .sums_slot = cr_update_sums, .gate_slot = cr_update_scalars,
              .blocks = blocks_in<cr_update_args>)

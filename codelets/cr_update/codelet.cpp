#include "codelets/cr_update/cr_update.hpp"
#include "runtime/registration.hpp"

QCD_OPERATION(cr_update, .sums_slot = cr_update_sums, .gate_slot = cr_update_coefficients,
              .blocks = blocks_in<cr_update_args>)

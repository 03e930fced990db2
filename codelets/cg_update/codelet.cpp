#include "codelets/cg_update/cg_update.hpp"
#include "runtime/registration.hpp"

QCD_OPERATION(cg_update, .gate_slot = cg_update_scalars, .blocks = blocks_in<cg_update_args>)

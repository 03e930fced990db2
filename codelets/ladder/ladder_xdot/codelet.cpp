#include "codelets/ladder/groups.hpp"
#include "codelets/ladder/ladder_xdot/ladder_xdot.hpp"
#include "codelets/ladder/slots.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(fields, ladder_xdot,
              .slots = {slot::ladder_sums("sums", Mode::writes), slot::spinor("x", Mode::reads),
                        slot::spinor("y", Mode::reads)},
              .blocks = ladder_vector_blocks<ladder_xdot_args>,
              .flops = ladder_vector_flops<ladder_xdot_args, 8>,
              .groups = ladder_sum_groups<ladder_xdot_args>, .sweeps = false)

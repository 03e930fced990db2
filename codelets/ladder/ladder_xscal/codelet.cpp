#include "codelets/ladder/groups.hpp"
#include "codelets/ladder/ladder_xscal/ladder_xscal.hpp"
#include "codelets/ladder/slots.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(fields, ladder_xscal,
              .slots = {slot::spinor("x", Mode::updates), slot::ladder_sums("alpha", Mode::reads)},
              .blocks = ladder_vector_blocks<ladder_xscal_args>,
              .flops = ladder_vector_flops<ladder_xscal_args, 6>,
              .groups = ladder_vector_groups<ladder_xscal_args>, .sweeps = false)

#include "codelets/ladder/groups.hpp"
#include "codelets/ladder/ladder_xnrm2/ladder_xnrm2.hpp"
#include "codelets/ladder/slots.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(fields, ladder_xnrm2,
              .slots = {slot::ladder_sums("sums", Mode::writes), slot::spinor("x", Mode::reads)},
              .blocks = ladder_vector_blocks<ladder_xnrm2_args>,
              .flops = ladder_vector_flops<ladder_xnrm2_args, 4>,
              .groups = ladder_sum_groups<ladder_xnrm2_args>, .sweeps = false)

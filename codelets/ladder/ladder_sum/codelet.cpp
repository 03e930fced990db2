#include "codelets/ladder/groups.hpp"
#include "codelets/ladder/ladder_sum/ladder_sum.hpp"
#include "codelets/ladder/slots.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(fields, ladder_sum,
              .slots = {slot::ladder_sums("sums", Mode::writes),
                        slot::ladder_sums("parts", Mode::reads)},
              .blocks = ladder_vector_blocks<ladder_sum_args>,
              .flops = ladder_vector_flops<ladder_sum_args, 2>,
              .groups = ladder_sum_groups<ladder_sum_args>, .sweeps = false, .urgent = true)

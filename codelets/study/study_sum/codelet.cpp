#include "codelets/registration.hpp"
#include "codelets/study/groups.hpp"
#include "codelets/study/slots.hpp"
#include "codelets/study/study_sum/study_sum.hpp"

QCD_OPERATION(fields, study_sum,
              .slots = {slot::study_sums("sums", Mode::writes),
                        slot::study_sums("parts", Mode::reads)},
              .blocks = study_vector_blocks<study_sum_args>,
              .flops = study_vector_flops<study_sum_args, 2>,
              .groups = study_sum_groups<study_sum_args>, .sweeps = false, .urgent = true)

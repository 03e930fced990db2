#include "codelets/registration.hpp"
#include "codelets/study/groups.hpp"
#include "codelets/study/slots.hpp"
#include "codelets/study/study_xnrm2/study_xnrm2.hpp"

QCD_OPERATION(fields, study_xnrm2,
              .slots = {slot::study_sums("sums", Mode::writes), slot::spinor("x", Mode::reads)},
              .blocks = study_vector_blocks<study_xnrm2_args>,
              .flops = study_vector_flops<study_xnrm2_args, 4>,
              .groups = study_sum_groups<study_xnrm2_args>, .sweeps = false)

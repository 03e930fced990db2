#include "codelets/registration.hpp"
#include "codelets/study/groups.hpp"
#include "codelets/study/slots.hpp"
#include "codelets/study/study_xdot/study_xdot.hpp"

QCD_OPERATION(fields, study_xdot,
              .slots = {slot::study_sums("sums", Mode::writes), slot::spinor("x", Mode::reads),
                        slot::spinor("y", Mode::reads)},
              .blocks = study_vector_blocks<study_xdot_args>,
              .flops = study_vector_flops<study_xdot_args, 8>,
              .groups = study_sum_groups<study_xdot_args>, .sweeps = false)

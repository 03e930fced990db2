#include "codelets/registration.hpp"
#include "codelets/study/groups.hpp"
#include "codelets/study/slots.hpp"
#include "codelets/study/study_xscal/study_xscal.hpp"

QCD_OPERATION(fields, study_xscal,
              .slots = {slot::spinor("x", Mode::updates), slot::study_sums("alpha", Mode::reads)},
              .blocks = study_vector_blocks<study_xscal_args>,
              .flops = study_vector_flops<study_xscal_args, 6>,
              .groups = study_vector_groups<study_xscal_args>, .sweeps = false)

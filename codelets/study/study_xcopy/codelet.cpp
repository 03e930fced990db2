#include "codelets/registration.hpp"
#include "codelets/study/groups.hpp"
#include "codelets/study/slots.hpp"
#include "codelets/study/study_xcopy/study_xcopy.hpp"

QCD_OPERATION(fields, study_xcopy,
              .slots = {slot::spinor("y", Mode::writes), slot::study_source("x")},
              .blocks = study_vector_blocks<study_xcopy_args>,
              .groups = study_vector_groups<study_xcopy_args>, .sweeps = false, .urgent = true)

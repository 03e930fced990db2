#include "codelets/registration.hpp"
#include "codelets/study/groups.hpp"
#include "codelets/study/slots.hpp"
#include "codelets/study/study_quotient/study_quotient.hpp"

QCD_OPERATION(fields, study_quotient,
              .slots = {slot::study_sums("quotient", Mode::writes),
                        slot::study_sums("a", Mode::reads), slot::study_sums("b", Mode::reads)},
              .blocks = study_one_block, .groups = study_one_group, .sweeps = false, .urgent = true)

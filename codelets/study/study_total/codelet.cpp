#include "codelets/registration.hpp"
#include "codelets/study/groups.hpp"
#include "codelets/study/slots.hpp"
#include "codelets/study/study_total/study_total.hpp"

QCD_OPERATION(fields, study_total,
              .slots = {slot::study_sums("sum", Mode::writes),
                        {"parts", "sums", Mode::reads, true, QCD_STUDY_PARTS}},
              .blocks = study_one_block, .groups = study_one_group, .sweeps = false, .urgent = true)

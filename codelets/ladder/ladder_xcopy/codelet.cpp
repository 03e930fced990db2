#include "codelets/ladder/groups.hpp"
#include "codelets/ladder/ladder_xcopy/ladder_xcopy.hpp"
#include "codelets/ladder/slots.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(fields, ladder_xcopy,
              .slots = {slot::spinor("y", Mode::writes), slot::ladder_source("x")},
              .blocks = ladder_vector_blocks<ladder_xcopy_args>,
              .groups = ladder_vector_groups<ladder_xcopy_args>, .sweeps = false, .urgent = true)

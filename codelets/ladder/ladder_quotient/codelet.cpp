#include "codelets/ladder/groups.hpp"
#include "codelets/ladder/ladder_quotient/ladder_quotient.hpp"
#include "codelets/ladder/slots.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(fields, ladder_quotient,
              .slots = {slot::ladder_sums("quotient", Mode::writes),
                        slot::ladder_sums("a", Mode::reads), slot::ladder_sums("b", Mode::reads)},
              .blocks = ladder_one_block, .groups = ladder_one_group, .sweeps = false,
              .urgent = true)

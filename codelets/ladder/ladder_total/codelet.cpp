#include "codelets/ladder/groups.hpp"
#include "codelets/ladder/ladder_total/ladder_total.hpp"
#include "codelets/ladder/slots.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(fields, ladder_total,
              .slots = {slot::ladder_sums("sum", Mode::writes),
                        {"parts", "sums", Mode::reads, true, QCD_LADDER_PARTS}},
              .blocks = ladder_one_block, .groups = ladder_one_group, .sweeps = false,
              .urgent = true)

#include "codelets/device/sum_bins.h"
#include "codelets/dot/dot.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(half_fields, dot,
              .slots = {slot::spinor("x", Mode::reads),
                        slot::optional(slot::spinor("y", Mode::reads)), slot::sums("sums")},
              .blocks = blocks_in<dot_args>, .flops = flops_with<dot_args, dot_y, 192, 48>,
              .staying_groups = QCD_DOT_GROUPS, .most_turns = QCD_BIN_TERMS)

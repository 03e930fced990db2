#include "codelets/dot/dot.hpp"
#include "runtime/registration.hpp"

QCD_OPERATION(dot, .sums_slot = dot_sums, .blocks = blocks_in<dot_args>,
              .staying_groups = QCD_DOT_GROUPS)

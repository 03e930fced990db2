#include "codelets/device/sum_bins.h"
#include "codelets/dot/dot.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(half_fields, dot, .blocks = blocks_in, .flops = flops_with<48, dot_y, 144>,
              .staying_groups = QCD_DOT_GROUPS, .most_turns = QCD_BIN_TERMS)

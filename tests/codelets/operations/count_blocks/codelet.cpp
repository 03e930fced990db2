#include "codelets/registration.hpp"
#include "tests/codelets/operations/count_blocks/count_blocks.hpp"

QCD_OPERATION(fields, count_blocks,
              .slots = {{.name = "times", .holds = "ints", .mode = Mode::updates}},
              .blocks = blocks_in<count_blocks_args>)

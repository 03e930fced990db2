#include "codelets/narrow/narrow.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(mixed, narrow,
              .slots = {slot::spinor("out", Mode::writes), slot::spinor("in", Mode::reads)},
              .blocks = blocks_in<narrow_args>)

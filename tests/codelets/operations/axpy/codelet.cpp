#include "codelets/registration.hpp"
#include "tests/codelets/operations/axpy/axpy.hpp"

QCD_OPERATION(fields, axpy,
              .slots = {slot::spinor("x", Mode::reads), slot::spinor("y", Mode::updates)},
              .blocks = blocks_in<axpy_args>, .flops = flops_a_site<axpy_args, 48>)

#include "codelets/registration.hpp"
#include "codelets/xgemm34x44/xgemm34x44.hpp"

QCD_OPERATION(fields, xgemm34x44,
              .slots = {slot::spinor("out", Mode::writes), slot::spinor("psi", Mode::reads)},
              .blocks = blocks_in<xgemm34x44_args>, .flops = flops_a_site<xgemm34x44_args, 12>)

#include "codelets/registration.hpp"
#include "codelets/xpay/xpay.hpp"

QCD_OPERATION(fields, xpay,
              .slots = {slot::spinor("x", Mode::reads), slot::spinor("y", Mode::updates)},
              .blocks = blocks_in<xpay_args>, .flops = flops_a_site<xpay_args, 96>)

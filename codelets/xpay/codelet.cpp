#include "codelets/registration.hpp"
#include "codelets/xpay/xpay.hpp"

QCD_OPERATION(xpay,
              .slots = {slot::spinor("x", Mode::reads), slot::spinor("y", Mode::updates),
                        slot::scalars("coefficients")},
              .blocks = blocks_in<xpay_args>, .flops = flops_a_site<xpay_args, 96>,
              .idle = behind_closed_gate_of<xpay_coefficients>)

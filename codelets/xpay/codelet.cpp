#include "codelets/runtime/registration.hpp"
#include "codelets/xpay/xpay.hpp"

QCD_OPERATION(xpay, .gate_slot = xpay_coefficients, .blocks = blocks_in<xpay_args>)

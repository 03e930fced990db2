#include "codelets/xpay/xpay.hpp"
#include "runtime/registration.hpp"

QCD_OPERATION(xpay, .gate_slot = xpay_coefficients, .blocks = blocks_in<xpay_args>)

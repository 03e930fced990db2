#include "codelets/runtime/registration.hpp"
#include "codelets/xpay/xpay.hpp"

QCD_OPERATION(xpay, .blocks = blocks_in<xpay_args>)

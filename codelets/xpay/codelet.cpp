#include "codelets/xpay/xpay.hpp"
#include "runtime/registration.hpp"

QCD_OPERATION(xpay, .blocks = blocks_in<xpay_args>)

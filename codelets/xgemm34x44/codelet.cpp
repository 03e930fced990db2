#include "codelets/xgemm34x44/xgemm34x44.hpp"
#include "runtime/registration.hpp"

QCD_OPERATION(xgemm34x44, .blocks = blocks_in<xgemm34x44_args>)

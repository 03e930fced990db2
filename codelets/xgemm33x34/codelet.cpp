#include "codelets/xgemm33x34/xgemm33x34.hpp"
#include "runtime/registration.hpp"

QCD_LINK_OPERATION(xgemm33x34, .blocks = blocks_in<xgemm33x34_args>)

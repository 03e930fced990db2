#include "codelets/registration.hpp"
#include "codelets/xgemm33x34/xgemm33x34.hpp"

QCD_OPERATION(links, xgemm33x34,
              .slots = {slot::spinor("out", Mode::writes), slot::links("links"),
                        slot::spinor("psi", Mode::reads)},
              .blocks = blocks_in<xgemm33x34_args>, .flops = flops_a_site<xgemm33x34_args, 264>)

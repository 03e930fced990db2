#pragma once
// Contract: follow_gate.hpp.

#include "codelets/device/lang.h"
#include "codelets/follow_gate/slots.h"

QCD_BEGIN

QCD_FN void follow_gate_site(QCD_GLOBAL solve_scalars* inner, QCD_GLOBAL const solve_scalars* outer)
{
    if (gate_closed(outer)) inner->gate = QCD_GATE_CONVERGED;
}

QCD_END

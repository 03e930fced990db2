#pragma once
// Contract: follow_gate.hpp.

#include "codelets/device/lang.h"
#include "codelets/follow_gate/slots.h"

QCD_BEGIN

/// Closes the inner gate of one right-hand side where the outer gate is closed.
QCD_FN void follow_gate_site(QCD_GLOBAL solve_scalars* inner, QCD_GLOBAL const solve_scalars* outer,
                             int rhs)
{
    if (gate_closed(gate_of(outer, rhs)))
        ((QCD_GLOBAL solve_scalars*)gate_of(inner, rhs))->gate = QCD_GATE_CONVERGED;
}

QCD_END

#pragma once

#include "codelets/device/slots.h"
#include "codelets/hopping/slots.h"
#include "codelets/linked_hop/args.h"

#define QCD_SLOTS_linked_hop(S, op)                                                                \
    QCD_SLOTS_hopping(S, op) S(op, order, writes, order, void, required)                           \
        S(op, outbox, writes, faces, math, several(8))

QCD_DECLARE_SLOTS(linked_hop)

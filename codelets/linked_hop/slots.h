#pragma once

#include "codelets/device/slots.h"
#include "codelets/hopping/args.h"
#include "codelets/hopping/slots.h"

QCD_PLAIN_BEGIN

typedef struct {
    hopping_args hop;
    long long count; // what the flags of faces become, and must have become
} linked_hop_args;

QCD_PLAIN_END

#define QCD_SLOTS_linked_hop(S, op)                                                                \
    QCD_SLOTS_hopping(S, op) S(op, order, writes, order, void, required)                           \
        S(op, outbox, writes, faces, math, several(8))

QCD_DECLARE_SLOTS(linked_hop)

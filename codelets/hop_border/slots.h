#pragma once

#include "codelets/device/slots.h"
#include "codelets/hopping/args.h"
#include "codelets/hopping/slots.h"

QCD_PLAIN_BEGIN
typedef hopping_args hop_border_args;
QCD_PLAIN_END

#define QCD_SLOTS_hop_border(S, op) QCD_SLOTS_OF_HOP(S, op, updates, whole_sums)

QCD_DECLARE_SLOTS(hop_border)

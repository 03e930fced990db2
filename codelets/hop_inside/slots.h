#pragma once

#include "codelets/device/slots.h"
#include "codelets/hopping/args.h"
#include "codelets/hopping/slots.h"

QCD_PLAIN_BEGIN
typedef hopping_args hop_inside_args;
QCD_PLAIN_END

#define QCD_SLOTS_hop_inside(S, op) QCD_SLOTS_hopping(S, op)

QCD_DECLARE_SLOTS(hop_inside)

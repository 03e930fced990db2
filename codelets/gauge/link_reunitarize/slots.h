#pragma once

#include "codelets/device/slots.h"
#include "codelets/gauge/link_reunitarize/args.h"

#define QCD_SLOTS_link_reunitarize(S, op) S(op, links, updates, links, real, required)

QCD_DECLARE_SLOTS(link_reunitarize)

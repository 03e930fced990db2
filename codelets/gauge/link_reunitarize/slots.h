#pragma once

#include "codelets/device/args.h"
#include "codelets/device/slots.h"

QCD_ARGS_OF_BLOCKS(link_reunitarize)

#define QCD_SLOTS_link_reunitarize(S, op) S(op, links, updates, links, real, required)

QCD_DECLARE_SLOTS(link_reunitarize)

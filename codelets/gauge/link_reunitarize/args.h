#pragma once

#include "codelets/device/args.h"

QCD_ARGS_OF_BLOCKS(link_reunitarize)

// The loop for cores, and the kernel for CUDA.
#include "codelets/ladder/kernels.hpp"

#include "codelets/ladder/ladder_quotient/site.h"

QCD_LADDER_SINGLE_KERNELS(ladder_quotient)

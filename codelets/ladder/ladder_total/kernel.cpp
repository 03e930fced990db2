// The loop for cores, and the kernel for CUDA.
#include "codelets/ladder/kernels.hpp"

#include "codelets/ladder/ladder_total/site.h"

QCD_LADDER_SINGLE_KERNELS(ladder_total)

// The loop for cores, and the kernel for CUDA.
#include "codelets/ladder/kernels.hpp"

#include "codelets/ladder/ladder_xscal/site.h"

QCD_LADDER_KERNELS(ladder_xscal)

// The loop for cores, and the kernel for CUDA.
#include "codelets/ladder/kernels.hpp"

#include "codelets/ladder/ladder_xnrm2/site.h"

QCD_LADDER_SUM_KERNELS(ladder_xnrm2)

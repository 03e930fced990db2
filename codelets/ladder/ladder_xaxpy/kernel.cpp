// The loop for cores, and the kernel for CUDA.
#include "codelets/ladder/kernels.hpp"

#include "codelets/ladder/ladder_xaxpy/site.h"

QCD_LADDER_KERNELS(ladder_xaxpy)

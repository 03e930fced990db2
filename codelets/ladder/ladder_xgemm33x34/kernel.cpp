// The loop for cores, and the kernel for CUDA.
#include "codelets/ladder/site_kernels.hpp"

#include "codelets/ladder/ladder_xgemm33x34/site.h"

QCD_LADDER_SITE_KERNELS(ladder_xgemm33x34)

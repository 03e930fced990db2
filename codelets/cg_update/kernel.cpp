// The loop for cores, and the kernel for CUDA.
#include "codelets/launch/site_kernels.hpp"

#include "codelets/cg_update/site.h"

QCD_UPDATE_KERNELS(cg_update)

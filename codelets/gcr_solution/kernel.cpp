// The loop for cores, and the kernel for CUDA.
#include "codelets/launch/site_kernels.hpp"

#include "codelets/gcr_solution/site.h"

QCD_UPDATE_KERNELS(gcr_solution)

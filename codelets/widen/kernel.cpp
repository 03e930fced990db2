// The loop for cores, and the kernel for CUDA.
#include "codelets/launch/site_kernels.hpp"

#include "codelets/widen/site.h"

QCD_SITE_KERNELS(widen)

// The loop for cores, and the kernel for CUDA.
#include "codelets/launch/site_kernels.hpp"

#include "codelets/add_correction/site.h"

QCD_SITE_KERNELS(add_correction)

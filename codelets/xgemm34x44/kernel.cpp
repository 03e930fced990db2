// The loop for cores, and the kernel for CUDA.
#include "codelets/launch/site_kernels.hpp"

#include "codelets/xgemm34x44/site.h"

QCD_SITE_KERNELS(xgemm34x44)

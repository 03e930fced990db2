// The loop for cores, and the kernel for CUDA.
#include "codelets/launch/site_kernels.hpp"

#include "codelets/xpay/site.h"

QCD_UPDATE_KERNELS(xpay)

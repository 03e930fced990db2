// The loop for cores, and the kernel for CUDA.
#include "codelets/launch/site_kernels.hpp"

#include "codelets/xgemm33x34/site.h"

QCD_SITE_KERNELS(xgemm33x34)

// The loop for cores, and the kernel for CUDA.
#include "codelets/launch/site_kernels.hpp"

#include "tests/codelets/operations/axpy/site.h"

QCD_UPDATE_KERNELS(axpy)

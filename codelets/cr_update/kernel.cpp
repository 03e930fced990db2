// The loop for cores, and the kernel for CUDA.
#include "codelets/launch/site_kernels.hpp"

#include "codelets/cr_update/site.h"

QCD_UPDATE_KERNELS_WITH_SUMS(cr_update, QCD_SUM_OUT_OUT)

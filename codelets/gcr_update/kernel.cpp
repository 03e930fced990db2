// The loop for cores, and the kernel for CUDA.
#include "codelets/launch/site_kernels.hpp"

#include "codelets/gcr_update/site.h"

QCD_UPDATE_KERNELS_WITH_SUMS(gcr_update, QCD_SUM_OUT_OUT | QCD_SUM_RE_U_OUT)

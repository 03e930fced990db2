// The loop for cores, and the kernel for CUDA.
#include "codelets/launch/site_kernels.hpp"

#include "codelets/gcr_products/site.h"

QCD_UPDATE_KERNELS_WITH_SUMS(gcr_products, QCD_SUM_V_OUT | QCD_SUM_U_OUT)

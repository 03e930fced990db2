// The loop for cores, and the kernel for CUDA.
#include "codelets/launch/site_kernels.hpp"

#include "codelets/bicgstab_residual/site.h"

QCD_UPDATE_KERNELS_WITH_SUMS(bicgstab_residual, QCD_SUM_V_OUT | QCD_SUM_OUT_OUT)

// The loop for cores, and the kernel for CUDA.
#include "codelets/launch/site_kernels.hpp"

#include "codelets/bicgstab_update/site.h"

QCD_UPDATE_KERNELS_WITH_SUMS(bicgstab_update, QCD_SUM_OUT_OUT)

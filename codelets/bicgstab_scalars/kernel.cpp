// For cores and for CUDA.
#include "codelets/launch/scalar_kernels.hpp"

#include "codelets/bicgstab_scalars/site.h"

QCD_SCALAR_KERNELS(bicgstab_start, bicgstab_scalars)
QCD_SCALAR_KERNELS(bicgstab_resume, bicgstab_scalars)
QCD_SCALAR_KERNELS(bicgstab_alpha, bicgstab_scalars)
QCD_SCALAR_KERNELS(bicgstab_omega_beta, bicgstab_scalars)

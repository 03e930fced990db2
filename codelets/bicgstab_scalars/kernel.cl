#include "codelets/bicgstab_scalars/site.h"
#include "codelets/launch/opencl_scalars.h"

QCD_SCALAR_KERNEL(bicgstab_start, bicgstab_scalars)
QCD_SCALAR_KERNEL(bicgstab_resume, bicgstab_scalars)
QCD_SCALAR_KERNEL(bicgstab_alpha, bicgstab_scalars)
QCD_SCALAR_KERNEL(bicgstab_omega_beta, bicgstab_scalars)

// Kernels of the operations on scalars, for cores and, in kernels.cu, for CUDA. In double alone.
#include "codelets/launch/scalar_kernels.hpp"

#include "codelets/bicgstab_scalars/site.h"
#include "codelets/cg_scalars/site.h"
#include "codelets/cr_scalars/site.h"
#include "codelets/last_residual/site.h"

QCD_SCALAR_KERNELS(cr_start, cr_scalars)
QCD_SCALAR_KERNELS(cr_alpha_beta, cr_scalars)
QCD_SCALAR_KERNELS(cr_last_steps, cr_scalars)

QCD_SCALAR_KERNELS(cg_start, cg_scalars)
QCD_SCALAR_KERNELS(cg_alpha, cg_scalars)
QCD_SCALAR_KERNELS(cg_beta, cg_scalars)
QCD_SCALAR_KERNELS(cg_last_steps, cg_scalars)

QCD_SCALAR_KERNELS(bicgstab_start, bicgstab_scalars)
QCD_SCALAR_KERNELS(bicgstab_alpha, bicgstab_scalars)
QCD_SCALAR_KERNELS(bicgstab_omega_beta, bicgstab_scalars)

QCD_SCALAR_KERNELS(last_residual, solve_scalars)

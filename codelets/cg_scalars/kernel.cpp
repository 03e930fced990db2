// For cores and for CUDA.
#include "codelets/launch/scalar_kernels.hpp"

#include "codelets/cg_scalars/site.h"

QCD_SCALAR_KERNELS(cg_start, cg_scalars)
QCD_SCALAR_KERNELS(cg_resume, cg_scalars)
QCD_SCALAR_KERNELS(cg_alpha, cg_scalars)
QCD_SCALAR_KERNELS(cg_beta, cg_scalars)
QCD_SCALAR_KERNELS(cg_last_steps, cg_scalars)

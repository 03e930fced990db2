// For cores and for CUDA.
#include "codelets/launch/scalar_kernels.hpp"

#include "codelets/cr_scalars/site.h"

QCD_SCALAR_KERNELS(cr_start, cr_scalars)
QCD_SCALAR_KERNELS(cr_resume, cr_scalars)
QCD_SCALAR_KERNELS(cr_alpha_beta, cr_scalars)
QCD_SCALAR_KERNELS(cr_last_steps, cr_scalars)

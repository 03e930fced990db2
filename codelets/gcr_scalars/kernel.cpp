// For cores and for CUDA.
#include "codelets/launch/scalar_kernels.hpp"

#include "codelets/gcr_scalars/site.h"

QCD_SCALAR_KERNELS(gcr_start, gcr_scalars)
QCD_SCALAR_KERNELS(gcr_resume, gcr_scalars)
QCD_SCALAR_KERNELS(gcr_project, gcr_scalars)
QCD_SCALAR_KERNELS(gcr_alpha, gcr_scalars)
QCD_SCALAR_KERNELS(gcr_residual, gcr_scalars)
QCD_SCALAR_KERNELS(gcr_steps, gcr_scalars)
QCD_SCALAR_KERNELS(gcr_last_steps, gcr_scalars)

#include "codelets/gcr_scalars/site.h"
#include "codelets/launch/opencl_scalars.h"

QCD_SCALAR_KERNEL(gcr_start, gcr_scalars)
QCD_SCALAR_KERNEL(gcr_resume, gcr_scalars)
QCD_SCALAR_KERNEL(gcr_project, gcr_scalars)
QCD_SCALAR_KERNEL(gcr_alpha, gcr_scalars)
QCD_SCALAR_KERNEL(gcr_residual, gcr_scalars)
QCD_SCALAR_KERNEL(gcr_steps, gcr_scalars)
QCD_SCALAR_KERNEL(gcr_last_steps, gcr_scalars)

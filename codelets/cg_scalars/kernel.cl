#include "codelets/cg_scalars/site.h"
#include "codelets/launch/opencl_scalars.h"

QCD_SCALAR_KERNEL(cg_start, cg_scalars)
QCD_SCALAR_KERNEL(cg_resume, cg_scalars)
QCD_SCALAR_KERNEL(cg_alpha, cg_scalars)
QCD_SCALAR_KERNEL(cg_beta, cg_scalars)
QCD_SCALAR_KERNEL(cg_last_steps, cg_scalars)

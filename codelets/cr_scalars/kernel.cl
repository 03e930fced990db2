#include "codelets/cr_scalars/site.h"
#include "codelets/launch/opencl_scalars.h"

QCD_SCALAR_KERNEL(cr_start, cr_scalars)
QCD_SCALAR_KERNEL(cr_resume, cr_scalars)
QCD_SCALAR_KERNEL(cr_alpha_beta, cr_scalars)
QCD_SCALAR_KERNEL(cr_last_steps, cr_scalars)

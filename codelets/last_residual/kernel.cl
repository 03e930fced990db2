#include "codelets/last_residual/site.h"
#include "codelets/launch/opencl_scalars.h"

QCD_SCALAR_KERNEL(last_residual, solve_scalars)

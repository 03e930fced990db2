// For cores and for CUDA.
#include "codelets/launch/scalar_kernels.hpp"

#include "codelets/last_residual/site.h"

QCD_SCALAR_KERNELS(last_residual, solve_scalars)

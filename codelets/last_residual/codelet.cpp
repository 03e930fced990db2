#include "codelets/last_residual/last_residual.hpp"
#include "codelets/scalar_registration.hpp"

QCD_SCALAR_STEP(last_residual)

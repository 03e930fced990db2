#include "codelets/gcr_scalars/gcr_scalars.hpp"
#include "codelets/scalar_registration.hpp"

QCD_SCALAR_START(gcr_start)
QCD_SCALAR_STEP(gcr_resume)
QCD_SCALAR_STEP(gcr_project)
QCD_SCALAR_STEP(gcr_alpha)
QCD_SCALAR_STEP(gcr_residual)
QCD_SCALAR_STEP(gcr_steps)
QCD_SCALAR_STEP(gcr_last_steps)

#include "codelets/cg_scalars/cg_scalars.hpp"
#include "codelets/scalar_registration.hpp"

QCD_SCALAR_START(cg_start)
QCD_SCALAR_STEP(cg_resume)
QCD_SCALAR_STEP(cg_alpha)
QCD_SCALAR_STEP(cg_beta)
QCD_SCALAR_STEP(cg_last_steps)

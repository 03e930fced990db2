#include "codelets/cr_scalars/cr_scalars.hpp"
#include "codelets/scalar_registration.hpp"

QCD_SCALAR_START(cr_start)
QCD_SCALAR_STEP(cr_resume)
QCD_SCALAR_STEP(cr_alpha_beta)
QCD_SCALAR_STEP(cr_last_steps)

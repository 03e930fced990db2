#include "codelets/cr_scalars/cr_scalars.hpp"
#include "codelets/launch/scalar_registration.hpp"

QCD_SCALAR_STEP(cr_start)
QCD_SCALAR_STEP(cr_alpha_beta)
QCD_SCALAR_STEP(cr_last_steps)

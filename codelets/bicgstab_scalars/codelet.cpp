#include "codelets/bicgstab_scalars/bicgstab_scalars.hpp"
#include "codelets/scalar_registration.hpp"

QCD_SCALAR_START(bicgstab_start)
QCD_SCALAR_STEP(bicgstab_resume)
QCD_SCALAR_STEP(bicgstab_alpha)
QCD_SCALAR_STEP(bicgstab_omega_beta)

#include "codelets/gauge/link_heatbath/link_heatbath.hpp"
#include "codelets/gauge/registration.hpp"

QCD_LINK_OPERATION(gauge, link_heatbath, link_heatbath_flops)

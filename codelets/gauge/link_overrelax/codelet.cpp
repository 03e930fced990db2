#include "codelets/gauge/link_overrelax/link_overrelax.hpp"
#include "codelets/gauge/registration.hpp"

QCD_LINK_OPERATION(gauge, link_overrelax, link_overrelax_flops)

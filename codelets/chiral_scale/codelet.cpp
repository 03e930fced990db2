#include "codelets/chiral_scale/chiral_scale.hpp"
#include "runtime/registration.hpp"

QCD_OPERATION(chiral_scale, .blocks = blocks_in<chiral_scale_args>)

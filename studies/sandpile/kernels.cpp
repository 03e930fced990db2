#include "studies/frame/kernels.hpp"
#include "studies/sandpile/groups.hpp"
#include "studies/sandpile/site.h"

QCD_STENCIL_KERNELS(pile_step)
QCD_GROUP_KERNELS(pile_overlap)
QCD_GROUP_KERNELS(pile_avalanche)

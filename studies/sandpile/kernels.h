#include "studies/sandpile/site.h"

QCD_DEVICE_CELL_KERNELS(pile_step, pile_step_args, pile_step)
QCD_GROUP_KERNELS(pile_overlap, pile_overlap_args, pile_overlap, pile_overlap_groups)
QCD_GROUP_KERNELS(pile_avalanche, pile_avalanche_args, pile_avalanche, pile_avalanche_groups)

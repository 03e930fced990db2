#include "studies/frame/kernels.hpp"
#include "studies/fisher/groups.hpp"
#include "studies/fisher/site.h"

QCD_GROUP_KERNELS(fisher_residual)
QCD_GROUP_KERNELS(fisher_apply)
QCD_GROUP_KERNELS(fisher_apply_wide)
QCD_GROUP_KERNELS(fisher_update)
QCD_GROUP_KERNELS(fisher_norm)
QCD_GROUP_KERNELS(fisher_scalars)
QCD_GROUP_KERNELS(fisher_whole)
QCD_CELL_KERNELS(fisher_axpy)
QCD_CELL_KERNELS(fisher_direction)

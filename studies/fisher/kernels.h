#include "studies/fisher/site.h"

QCD_GROUP_KERNELS(fisher_residual, fisher_args, fisher_residual, fisher_row_groups)
QCD_GROUP_KERNELS(fisher_apply, fisher_args, fisher_apply, fisher_row_groups)
QCD_GROUP_KERNELS(fisher_apply_wide, fisher_args, fisher_apply, fisher_row_groups)
QCD_GROUP_KERNELS(fisher_update, fisher_args, fisher_update, fisher_row_groups)
QCD_GROUP_KERNELS(fisher_norm, fisher_args, fisher_norm, fisher_row_groups)
QCD_GROUP_KERNELS(fisher_scalars, fisher_scalars_args, fisher_scalars, fisher_scalars_groups)
QCD_GROUP_KERNELS(fisher_whole, fisher_whole_args, fisher_whole, fisher_whole_groups)
QCD_CELL_KERNELS(fisher_axpy, fisher_axpy_args, fisher_axpy)
QCD_CELL_KERNELS(fisher_direction, fisher_axpy_args, fisher_axpy)

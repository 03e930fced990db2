#include "studies/matmul/site.h"

QCD_CELL_KERNELS(matmul_pad, matmul_pad_args, matmul_pad)
QCD_DEVICE_GROUP_KERNELS(matmul_blocks, matmul_args, matmul, matmul_blocks_groups)
QCD_DEVICE_GROUP_KERNELS(matmul_shared, matmul_args, matmul, matmul_shared_groups)
QCD_DEVICE_GROUP_KERNELS(matmul_four, matmul_args, matmul, matmul_four_groups)
QCD_DEVICE_GROUP_KERNELS(matmul_padded, matmul_args, matmul, matmul_four_groups)

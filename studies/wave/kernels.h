#include "studies/wave/site.h"

QCD_CELL_KERNELS(wave_copy, wave_args, wave_copy)
QCD_DEVICE_CELL_KERNELS(wave_plain, wave_args, wave)

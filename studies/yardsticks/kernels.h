#include "studies/yardsticks/site.h"

QCD_CELL_KERNELS(stream, stream_args, stream)

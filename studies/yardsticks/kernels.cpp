#include "studies/frame/kernels.hpp"
#include "studies/yardsticks/site.h"

QCD_CELL_KERNELS(stream)

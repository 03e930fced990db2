#include "codelets/dot/site.h"
#include "codelets/launch/site_kernels.hpp"

QCD_UPDATE_KERNELS_WITH_SUMS(dot, dot_which)

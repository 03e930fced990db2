// The loop for cores, and the kernel for CUDA.
#include "codelets/study/kernels.hpp"

#include "codelets/study/study_sum/site.h"

QCD_STUDY_SUM_KERNELS(study_sum)

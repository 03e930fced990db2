// The loop for cores, and the kernel for CUDA.
#include "codelets/study/kernels.hpp"

#include "codelets/study/study_quotient/site.h"

QCD_STUDY_SINGLE_KERNELS(study_quotient)

// The loop for cores, and the kernel for CUDA.
#include "codelets/study/site_kernels.hpp"

#include "codelets/study/study_xgemm33x34/site.h"

QCD_STUDY_SITE_KERNELS(study_xgemm33x34)

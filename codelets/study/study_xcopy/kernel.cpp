// The loop for cores, and the kernel for CUDA.
#include "codelets/study/kernels.hpp"

#include "codelets/study/study_xcopy/site.h"

QCD_STUDY_KERNELS(study_xcopy)

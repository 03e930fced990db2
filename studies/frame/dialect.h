#pragma once
// What the studies' kernels have besides codelets/device/lang.h.
//   QCD_STUDY_FMA(a, b, c)  a b + c, rounded once, on every kind of worker

#include "codelets/device/lang.h"

#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)
#define QCD_STUDY_FMA(a, b, c) fma(a, b, c)
#else
#define QCD_STUDY_FMA(a, b, c) __builtin_fma(a, b, c)
#endif

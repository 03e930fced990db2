#pragma once
// What the studies' kernels have besides codelets/device/lang.h.
//   QCD_STUDY_FMA(a, b, c)  a b + c, rounded once, on every kind of worker
// On devices
//   QCD_STUDY_CELL(NAME, ARGS, BUFFERS)  NAME_cell() of this work item, in a row of ARGS.columns

#include "codelets/device/lang.h"
#include "codelets/device/threads.h"

#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)
#define QCD_STUDY_FMA(a, b, c) fma(a, b, c)
#else
#define QCD_STUDY_FMA(a, b, c) __builtin_fma(a, b, c)
#endif

#define QCD_STUDY_CELL(name, args, buffers)                                                        \
    const int item = QCD_GROUP_ID() * QCD_THREADS() + QCD_THREAD_ID(), row = item / args.columns;  \
    if (row < args.rows) name##_cell(args, buffers, item % args.columns, row)

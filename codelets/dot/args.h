#pragma once

#include "codelets/device/args.h"

#ifdef __cplusplus
namespace qcd
{
#endif

typedef struct {
    int blocks; // blocks of 32 lanes
} dot_args;

/// (x|y), |y|^2 and |x|^2 (dot.hpp) fill these accumulators.
enum { dot_which = QCD_SUM_V_OUT | QCD_SUM_OUT_OUT | QCD_SUM_RE_U_OUT };

// Thread blocks, or work groups, of a multiprocessor: as many as have registers for all of a site's
// loads.
#define QCD_DOT_GROUPS 4

#ifdef __cplusplus
}
#endif

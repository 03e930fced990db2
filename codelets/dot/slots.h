#pragma once

#include "codelets/device/args.h"
#include "codelets/device/slots.h"

QCD_ARGS_OF_BLOCKS(dot)

QCD_PLAIN_BEGIN

/// (x|y), |y|^2 and |x|^2 (dot.hpp) fill these accumulators.
enum { dot_which = QCD_SUM_V_OUT | QCD_SUM_OUT_OUT | QCD_SUM_RE_U_OUT };

// Thread blocks, or work groups, of a multiprocessor: as many as have registers for all of a site's
// loads.
#define QCD_DOT_GROUPS 4

QCD_PLAIN_END

#define QCD_SLOTS_dot(S, op)                                                                       \
    S(op, x, reads, spinor, real, required)                                                        \
    S(op, y, reads, spinor, real, optional)                                                        \
    S(op, sums, writes, sums, i64, required)

QCD_DECLARE_SLOTS(dot)

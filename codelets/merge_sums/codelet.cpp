#include "codelets/device/exact_sum.h"
#include "codelets/device/shape.h"
#include "codelets/merge_sums/merge_sums.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(
    scalars, merge_sums,
    .blocks = [](const void*) { return (QCD_TASK_SUM_WORDS + QCD_LANES - 1) / QCD_LANES; },
    .sweeps = false, .urgent = true)

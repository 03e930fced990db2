#include "codelets/device/exact_sum.h"
#include "codelets/device/shape.h"
#include "codelets/merge_sums/merge_sums.hpp"
#include "codelets/registration.hpp"

QCD_OPERATION(
    scalars, merge_sums,
    .slots =
        {{.name = "out", .holds = "exact sums", .mode = Mode::writes},
         {.name = "parts", .holds = "exact sums", .optional = true, .count = QCD_MERGE_FAN_IN}},
    .blocks = [](const void*) { return (QCD_TASK_SUM_WORDS + QCD_LANES - 1) / QCD_LANES; },
    .sweeps = false, .urgent = true)

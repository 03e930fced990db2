#include "codelets/merge_sums/merge_sums.hpp"

#include "codelets/device/exact_sum.h"
#include "codelets/device/shape.h"

QCD_DECLARE_SCALAR_KERNELS(merge_sums)

namespace qcd
{

const Codelet& merge_sums_codelet()
{
    static const CodeletFamily family(
        {.name = "merge_sums",
         .args_size = sizeof(merge_sums_args),
         .slots = merge_sums_slots,
         .blocks =
             [](const void*) { return (QCD_MAX_SUMS * QCD_SUM_WORDS + QCD_LANES - 1) / QCD_LANES; },
         .scalars = true},
        QCD_SCALAR_KERNELS(merge_sums));
    return family[Precision::f64];
}

} // namespace qcd

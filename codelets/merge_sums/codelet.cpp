#include "codelets/merge_sums/merge_sums.hpp"

#include "codelets/device/exact_sum.h"
#include "codelets/device/shape.h"

QCD_DECLARE_KERNELS(merge_sums)

namespace qcd
{

const Codelet& merge_sums_codelet(Precision precision)
{
    static const CodeletFamily family(
        "merge_sums", QCD_KERNELS(merge_sums), sizeof(merge_sums_args), merge_sums_slots, -1,
        [](const void*) { return (QCD_MAX_SUMS * QCD_SUM_WORDS + QCD_LANES - 1) / QCD_LANES; },
        nullptr, LinkStorage::full, nullptr, true);
    return family[precision];
}

} // namespace qcd

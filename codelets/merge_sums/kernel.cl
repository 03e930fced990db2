#include "codelets/launch/opencl_launch.h"
#include "codelets/merge_sums/site.h"

QCD_SLOT_KERNEL(merge_sums)
{
    const int of_own = (int)get_global_id(0);
    if (of_own >= QCD_TASK_SUM_WORDS) return;
    const int word = own_rhs() * QCD_TASK_SUM_WORDS + of_own;
    merge_sums_buffers f = {QCD_SLOT_VALUES(merge_sums)};
    out[word] = merge_sums_word(a, f, word);
}

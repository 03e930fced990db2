#include "codelets/launch/cpu_launch.hpp"
#include "codelets/merge_sums/site.h"

QCD_BEGIN

void merge_sums_cpu(const void* args, void* const* p, CpuShare share)
{
    if (share.index > 0) return;
    const auto& a = *static_cast<const merge_sums_args*>(args);
    const auto f = buffers_of<merge_sums_buffers>(p);
    for (int word = 0; word < share.layers * QCD_TASK_SUM_WORDS; ++word)
        f.out[word] = merge_sums_word(a, f, word);
}

QCD_END

#include "codelets/launch/cpu_launch.hpp"
#include "codelets/merge_sums/site.h"

QCD_BEGIN

void merge_sums_cpu(const void* args, void* const* p, CpuShare share)
{
    if (share.index > 0) return;
    const auto& a = *static_cast<const merge_sums_args*>(args);
    merge_sums_buffers f = {};
    for (int i = 0; i < a.parts; ++i) f.part[i] = buffer<const i64>(p, merge_sums_parts + i);
    i64* out = buffer<i64>(p, merge_sums_out);
    for (int word = 0; word < share.layers * QCD_TASK_SUM_WORDS; ++word)
        out[word] = merge_sums_word(a, f, word);
}

QCD_END

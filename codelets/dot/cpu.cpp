#include "codelets/dot/site.h"
#include "codelets/runtime/cpu_launch.hpp"

QCD_BEGIN

void dot_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const dot_args*>(args);
    const auto f = buffers_of<dot_buffers>(p);
    TileSums sums(buffer<i64>(p, dot_sums), share);
    for_each_block(a.blocks, share,
                   [&](int block, lanes w) { sums.add(dot_site(a, f, block, w), dot_which); });
}

QCD_END

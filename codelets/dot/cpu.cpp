#include "codelets/dot/site.h"
#include "codelets/runtime/cpu_launch.hpp"

QCD_BEGIN

void dot_cpu(const void* args, void* const* p)
{
    const auto& a = *static_cast<const dot_args*>(args);
    const dot_buffers f = {buffer<const real>(p, dot_x), buffer<const real>(p, dot_y)};
    TileSums sums(buffer<i64>(p, dot_sums), false);
    for (int block = 0; block < a.blocks; ++block)
        for_each_group([&](lanes w) { sums.add(dot_site(a, f, block, w), dot_which); });
    end_of_streaming();
}

QCD_END

#include "codelets/launch/cpu_launch.hpp"
#include "tests/codelets/operations/count_blocks/slots.h"

QCD_BEGIN

void count_blocks_cpu(const void* args, void* const* p, CpuShare share)
{
    const auto& a = *static_cast<const count_blocks_args*>(args);
    int* times = buffer<int>(p, count_blocks_times);
    for (int b = share.first(a.blocks); b < share.end(a.blocks); ++b) ++times[b];
}

QCD_END

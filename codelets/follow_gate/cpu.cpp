#include "codelets/follow_gate/site.h"
#include "codelets/launch/cpu_launch.hpp"

QCD_BEGIN

void follow_gate_cpu(const void*, void* const* p, CpuShare share)
{
    if (share.index > 0) return;
    for (int rhs = 0; rhs < share.layers; ++rhs)
        follow_gate_site(buffer<solve_scalars>(p, follow_gate_inner),
                         buffer<const solve_scalars>(p, follow_gate_outer), rhs);
}

QCD_END

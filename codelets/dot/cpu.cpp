#include "codelets/dot/site.h"
#include "codelets/launch/site_kernels.hpp"

QCD_BEGIN

void dot_cpu(const void* args, void* const* p, CpuShare share)
{
    sum_over_sites<dot_site, dot_args, dot_buffers>(args, p, share, dot_sums, dot_which);
}

QCD_END

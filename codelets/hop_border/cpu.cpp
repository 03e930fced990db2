#include "codelets/hop_border/slots.h"
#include "codelets/launch/cpu_launch.hpp"

QCD_BEGIN

void hopping_cpu(const void* args, void* const* p, CpuShare);

void hop_border_cpu(const void* args, void* const* p, CpuShare share)
{
    hopping_cpu(args, p, share);
}

QCD_END

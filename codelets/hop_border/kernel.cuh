#include "codelets/hop_border/slots.h"
#include "codelets/hopping/kernel.cuh"

QCD_BEGIN

void hop_border_cuda(const void* args, void* const* p, const CudaCall& call)
{
    enqueue_hop(*static_cast<const hopping_args*>(args), p, 0, nullptr, call);
}

QCD_END

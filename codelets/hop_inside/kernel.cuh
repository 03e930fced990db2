#include "codelets/hop_inside/slots.h"
#include "codelets/hopping/kernel.cuh"

QCD_BEGIN

void hop_inside_cuda(const void* args, void* const* p, const CudaCall& call)
{
    clear_sums(p[hopping_sums], call);
    enqueue_hop(*static_cast<const hopping_args*>(args), p, 0, nullptr, call);
}

QCD_END

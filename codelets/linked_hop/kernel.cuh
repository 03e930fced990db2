#include "codelets/hopping/kernel.cuh"
#include "codelets/linked_hop/slots.h"

QCD_BEGIN

void linked_hop_cuda(const void* args, void* const* p, const CudaCall& call)
{
    const auto& a = *static_cast<const linked_hop_args*>(args);
    clear_sums(p[hopping_sums], call);
    enqueue_hop(a.hop, p, a.count, p + linked_hop_outbox, call);
}

QCD_END

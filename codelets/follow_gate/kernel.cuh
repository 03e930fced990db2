#include "codelets/follow_gate/site.h"
#include "codelets/launch/cuda_launch.cuh"

QCD_BEGIN

__global__ void __launch_bounds__(threads_per_block)
    follow_gate_kernel(follow_gate_args, KernelBuffers p)
{
    start_kernel();
    if (blockIdx.x + threadIdx.x > 0) return;
    follow_gate_site(buffer<solve_scalars>(p, follow_gate_inner),
                     buffer<const solve_scalars>(p, follow_gate_outer), own_rhs());
}

void follow_gate_cuda(const void* args, void* const* p, const CudaCall& call)
{
    launch<follow_gate_slots>(follow_gate_kernel, 1, *static_cast<const follow_gate_args*>(args), p,
                              call);
}

QCD_END

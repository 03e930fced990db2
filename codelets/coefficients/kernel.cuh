#include "codelets/coefficients/site.h"
#include "codelets/runtime/cuda_launch.cuh"

QCD_BEGIN

__global__ void __launch_bounds__(threads_per_block)
    coefficients_kernel(coefficients_args a, KernelBuffers p)
{
    if (blockIdx.x * threads_per_block + threadIdx.x != 0) return;
    coefficients_site(
        a, buffer<double>(p, coefficients_out), buffer<const double>(p, coefficients_previous),
        buffer<const i64>(p, coefficients_sums_a), buffer<const i64>(p, coefficients_sums_b));
}

void coefficients_cuda(const void* args, void* const* p, cudaStream_t stream)
{
    launch(coefficients_kernel, 1, *static_cast<const coefficients_args*>(args), p,
           coefficients_slots, stream);
}

QCD_END

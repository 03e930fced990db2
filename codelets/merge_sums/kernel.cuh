#include "codelets/launch/cuda_launch.cuh"
#include "codelets/merge_sums/site.h"

QCD_BEGIN

__global__ void __launch_bounds__(threads_per_block)
    merge_sums_kernel(merge_sums_args a, KernelBuffers p)
{
    start_kernel();
    const int of_own = blockIdx.x * threads_per_block + threadIdx.x;
    if (of_own >= QCD_TASK_SUM_WORDS) return;
    const int word = own_rhs() * QCD_TASK_SUM_WORDS + of_own;
    const auto f = buffers_of<merge_sums_buffers>(p);
    f.out[word] = merge_sums_word(a, f, word);
}

void merge_sums_cuda(const void* args, void* const* p, const CudaCall& call)
{
    const int blocks = (QCD_TASK_SUM_WORDS + QCD_LANES - 1) / QCD_LANES;
    launch<merge_sums_slots>(merge_sums_kernel, blocks, *static_cast<const merge_sums_args*>(args),
                             p, call);
}

QCD_END

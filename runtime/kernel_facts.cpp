#include "runtime/kernel_facts.hpp"

#include "runtime/codelet.hpp"

#ifdef QCD_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

namespace qcd
{

#ifdef QCD_WITH_CUDA

std::optional<KernelFacts> kernel_facts(const Codelet& codelet, const void* args, int worker)
{
    if (starpu_worker_get_type(worker) != STARPU_CUDA_WORKER || !codelet.operation.groups ||
        !codelet.kernels.cuda)
        return std::nullopt;
    if (cudaSetDevice(starpu_worker_get_devid(worker)) != cudaSuccess) return std::nullopt;
    KernelFacts facts;
    void* const no_buffers[max_slots] = {};
    codelet.kernels.cuda(args, no_buffers, {.stream = nullptr, .facts = &facts});
    if (cudaGetLastError() != cudaSuccess) return std::nullopt;
    return facts;
}

#else

std::optional<KernelFacts> kernel_facts(const Codelet&, const void*, int) { return std::nullopt; }

#endif

} // namespace qcd

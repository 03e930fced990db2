#pragma once
// A device that fails inside a task: an exception cannot leave a codelet.

#ifdef QCD_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

namespace qcd
{

/// One line on stderr, then the end of the program with exit_missing_device: what a failed device
/// holds is lost, and StarPU would wait for it for ever.
[[noreturn]] void device_failed(const char* what, const char* why);

#ifdef QCD_WITH_CUDA
inline void check_cuda(cudaError_t status)
{
    if (status != cudaSuccess) device_failed("CUDA", cudaGetErrorString(status));
}
#endif

} // namespace qcd

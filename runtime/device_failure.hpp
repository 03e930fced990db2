#pragma once
// A device that fails inside a task: an exception cannot leave a codelet.

#ifdef QCD_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

namespace qcd
{

/// What a failed device holds is lost, and StarPU would wait for it for ever: one line on stderr,
/// and the end of the process, by abort() or as the program says (on_device_failure).
[[noreturn]] void device_failed(const char* what, const char* why);

/// `end` must not return. Null: abort().
void on_device_failure(void (*end)());

#ifdef QCD_WITH_CUDA
inline void check_cuda(cudaError_t status)
{
    if (status != cudaSuccess) device_failed("CUDA", cudaGetErrorString(status));
}
#endif

} // namespace qcd

#include "codelets/runtime/device_failure.hpp"

#include "lattice/error.hpp"

#include <starpu.h>

#include <cstdio>
#include <cstdlib>

#ifdef QCD_WITH_CUDA
/// In place of StarPU's own, which it calls when CUDA fails in its hands: that prints a backtrace
/// and aborts.
extern "C" void starpu_cuda_report_error(const char*, const char*, int, cudaError_t status)
{
    qcd::device_failed("CUDA", cudaGetErrorString(status));
}
#endif

namespace qcd
{

void device_failed(const char* what, const char* why)
{
    const starpu_task* task = starpu_task_get_current();
    std::fprintf(stderr, "qcd_starpu: %s: %s, in or before task %s\n", what, why,
                 task ? starpu_task_get_name(const_cast<starpu_task*>(task)) : "(none)");
    std::_Exit(exit_missing_device);
}

} // namespace qcd

#include "codelets/runtime/device_failure.hpp"

#include "lattice/error.hpp"

#include <starpu.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <execinfo.h>
#include <unistd.h>

#ifdef QCD_WITH_CUDA
/// In place of StarPU's own, which it calls when CUDA fails in its hands: that prints a backtrace
/// and aborts.
extern "C" void starpu_cuda_report_error(const char*, const char*, int, cudaError_t status)
{
    qcd::device_failed("CUDA", cudaGetErrorString(status));
}

/// In place of glibc's: StarPU's failed assertions, which is how it meets other errors of CUDA,
/// print a backtrace first. If CUDA has no error, or there is none to use, what StarPU prints next
/// says what is wrong.
extern "C" void backtrace_symbols_fd(void* const*, int, int) noexcept
{
    const cudaError_t status = cudaPeekAtLastError();
    if (status != cudaErrorInsufficientDriver && status != cudaErrorNoDevice)
        qcd::check_cuda(status);
}
#endif

namespace qcd
{

void device_failed(const char* what, const char* why)
{
    static std::atomic_flag failed; // of several devices that fail together one says so
    while (failed.test_and_set()) pause();
    const starpu_task* task = starpu_task_get_current();
    std::fprintf(stderr, "qcd_starpu: %s: %s, in or before task %s\n", what, why,
                 task ? starpu_task_get_name(const_cast<starpu_task*>(task)) : "(none)");
    std::_Exit(exit_missing_device);
}

} // namespace qcd

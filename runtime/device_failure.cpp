#include "runtime/device_failure.hpp"

#include <starpu.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

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

namespace
{
void (*end_of_process)() = nullptr;
}

void on_device_failure(void (*end)()) { end_of_process = end; }

void device_failed(const char* what, const char* why)
{
    static std::atomic_flag failed; // of several devices that fail together one says so
    while (failed.test_and_set()) pause();
    const starpu_task* task = starpu_task_get_current();
    std::fprintf(stderr, "qcd_starpu: %s: %s, in or before task %s\n", what, why,
                 task ? starpu_task_get_name(const_cast<starpu_task*>(task)) : "(none)");
    if (end_of_process) end_of_process();
    std::abort();
}

} // namespace qcd

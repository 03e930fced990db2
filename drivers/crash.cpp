#include "drivers/crash.hpp"

#include "lattice/error.hpp"
#include "runtime/device_failure.hpp"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <unistd.h>

#ifdef QCD_WITH_CUDA
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

namespace
{

/// Is a library of this name the first of those that called abort(), libc's own frames and this
/// program's handler left out?
bool was_called_by(const char* library)
{
    void* frames[32];
    const int count = backtrace(frames, 32);
    bool past_the_signal = false;
    for (int i = 0; i < count; ++i) {
        Dl_info info;
        if (!dladdr(frames[i], &info) || !info.dli_fname) continue;
        const bool libc = std::strstr(info.dli_fname, "libc.so") != nullptr;
        past_the_signal = past_the_signal || libc;
        if (past_the_signal && !libc) return std::strstr(info.dli_fname, library) != nullptr;
    }
    return false;
}

/// StarPU aborts when a device fails in its own hands, or when it cannot start: what it printed is
/// the reason.
void on_abort(int signal, siginfo_t* info, void*)
{
    const bool from_inside = info->si_code == SI_TKILL && info->si_pid == getpid();
    if (!from_inside || !was_called_by("libstarpu")) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
        return;
    }
    constexpr char line[] = "qcd_starpu: StarPU gave up: it could not start, or a device failed\n";
    if (write(STDERR_FILENO, line, sizeof line - 1) < 0) {
    } // there is nothing else to do
    _exit(exit_missing_device);
}

} // namespace

void tell_devices_from_crashes()
{
    void* loaded[1];
    backtrace(loaded, 1); // its library, now: a handler must not
    struct sigaction action = {};
    action.sa_sigaction = on_abort;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGABRT, &action, nullptr);
    on_device_failure([] { std::_Exit(exit_missing_device); });
}

} // namespace qcd

#include "program/crash.hpp"

#include "base/error.hpp"
#include "runtime/device_failure.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <exception>
#include <execinfo.h>
#include <initializer_list>
#include <unistd.h>

/// In place of glibc's: StarPU's failed assertions, which is how it meets a lack of threads and
/// other errors of CUDA, print a backtrace first. If CUDA has no error, or there is none to use,
/// what else StarPU prints says what is wrong.
extern "C" void backtrace_symbols_fd(void* const*, int, int) noexcept
{
#ifdef QCD_WITH_CUDA
    const cudaError_t status = cudaPeekAtLastError();
    if (status != cudaErrorInsufficientDriver && status != cudaErrorNoDevice)
        qcd::check_cuda(status);
#endif
}

/// In place of libc's, which main() does not end by: libraries do, where they cannot go on
/// (OpenMP's without threads, FxT without a file), with a status that says something else here.
extern "C" void exit(int) noexcept
{
    Dl_info caller;
    const bool known = dladdr(__builtin_return_address(0), &caller) && caller.dli_fname;
    const char* const slash = known ? std::strrchr(caller.dli_fname, '/') : nullptr;
    std::fprintf(stderr, "%s: %s gave up: what it printed is the reason\n",
                 program_invocation_short_name, slash ? slash + 1 : "a library");
    _exit(qcd::exit_missing_device);
}

namespace qcd
{

namespace
{

/// Libraries that end a process by abort() where they cannot go on.
constexpr const char* give_up[] = {"libstarpu", "libpocl", "libLLVM", "libOpenCL",
                                   "libcuda",   "libgomp", "libomp",  "libnvidia-opencl",
                                   "libfxt",    "libmpi",  "libopen-"};

/// The library that called abort(): the first caller, with libc's own frames and this program's
/// handler left out. Null: another.
const char* library_that_gave_up()
{
    void* frames[32];
    const int count = backtrace(frames, 32);
    bool past_the_signal = false;
    for (int i = 0; i < count; ++i) {
        Dl_info info;
        if (!dladdr(frames[i], &info) || !info.dli_fname) continue;
        const bool libc = std::strstr(info.dli_fname, "libc.so") != nullptr;
        past_the_signal = past_the_signal || libc;
        if (!past_the_signal || libc) continue;
        for (const char* const library : give_up)
            if (std::strstr(info.dli_fname, library)) return library;
        return nullptr;
    }
    return nullptr;
}

/// Prints from a handler, without memory.
void say(std::initializer_list<const char*> parts)
{
    if (write(STDERR_FILENO, program_invocation_short_name,
              std::strlen(program_invocation_short_name)) < 0)
        return;
    for (const char* const part : parts)
        if (write(STDERR_FILENO, part, std::strlen(part)) < 0) return; // nothing else to do
}

std::terminate_handler usual_end = nullptr;

/// An exception that left a task or a destructor. What is no failure but a mistake of the program
/// crashes as ever.
void on_terminate()
{
    if (const std::exception_ptr thrown = std::current_exception()) {
        try {
            std::rethrow_exception(thrown);
        } catch (const std::exception& e) {
            const auto [line, status] = failure_of(e);
            if (dynamic_cast<const Error*>(&e) || status == exit_missing_device) {
                static std::atomic_flag said; // of several threads one says so
                while (said.test_and_set()) pause();
                say({": ", line.c_str(), "\n"});
                _exit(status);
            }
        } catch (...) {
        }
    }
    usual_end();
}

/// A library gives up when a device fails in its own hands, or when it cannot start: what it
/// printed is the reason.
void on_abort(int signal, siginfo_t* info, void*)
{
    const bool from_inside = info->si_code == SI_TKILL && info->si_pid == getpid();
    const char* const library = from_inside ? library_that_gave_up() : nullptr;
    if (!library) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
        return;
    }
    say({": ", library, " gave up: it could not start, or a device or memory failed\n"});
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
    usual_end = std::set_terminate(on_terminate);
    on_device_failure([] { std::_Exit(exit_missing_device); });
}

} // namespace qcd

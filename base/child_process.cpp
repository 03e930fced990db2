#include "base/child_process.hpp"

#include "base/error.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace qcd
{

namespace
{

constexpr char result = 'R', failure = 'E'; ///< with which what the child says begins

void write_fully(int descriptor, const std::string& text)
{
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t written = write(descriptor, text.data() + done, text.size() - done);
        if (written < 0 && errno != EINTR) _exit(1);
        if (written > 0) done += std::size_t(written);
    }
}

/// A crash is no message of this program's, and leaves no core file.
void be_quiet_when_killed(unsigned seconds)
{
    for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGALRM, SIGTERM, SIGINT})
        std::signal(signal, SIG_DFL);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC); // what libc says of a damaged heap
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
    alarm(seconds);
}

[[noreturn]] void compute(const std::function<std::string()>& f, int out)
{
    std::string text;
    try {
        text = result + f();
    } catch (const Error& error) {
        text = failure + std::string(error.what());
    } catch (...) {
        _exit(1);
    }
    write_fully(out, text);
    _exit(0);
}

std::string read_fully(int descriptor)
{
    std::string all;
    char some[4096];
    for (;;) {
        const ssize_t got = read(descriptor, some, sizeof some);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return all;
        all.append(some, std::size_t(got));
    }
}

} // namespace

std::optional<std::string> in_child_process(const std::function<std::string()>& f, unsigned seconds)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        throw Error("no pipe to another process: {}", std::strerror(errno));
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        be_quiet_when_killed(seconds);
        compute(f, ends[1]);
    }
    close(ends[1]);
    const std::string text = child > 0 ? read_fully(ends[0]) : "";
    close(ends[0]);
    if (child < 0) throw Error("no other process: {}", std::strerror(errno));
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || text.empty()) return std::nullopt;
    if (text.front() == failure) throw Error(text.substr(1));
    return text.substr(1);
}

} // namespace qcd

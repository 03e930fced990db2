#include "drivers/stop.hpp"

#include "runtime/session_options.hpp"

#include <csignal>
#include <cstdio>
#include <ctime>
#include <unistd.h>

namespace qcd
{

std::atomic<bool> stop_requested{false};

namespace
{

constexpr int stop_signals[] = {SIGINT, SIGTERM};

/// A handler finds nothing but what is static.
struct FirstSignal {
    std::atomic<long> second{-1}; // -1: there was none
    std::atomic<int> number{0};
};
FirstSignal& first_signal()
{
    static constinit FirstSignal first;
    return first;
}

void on_stop(void (*handler)(int))
{
    for (const int signal : stop_signals)
        if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
}

/// As if there were no handler: a shell sees 128 + signal.
void end_by(int signal)
{
    std::signal(signal, SIG_DFL);
    kill(getpid(), signal);
}

/// Who signals a process and its group, as timeout(1) does, means one signal.
void on_signal(int signal)
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    FirstSignal& first = first_signal();
    long before = -1;
    if (first.second.compare_exchange_strong(before, now.tv_sec)) {
        first.number = signal;
        stop_requested = true;
        return;
    }
    if (now.tv_sec <= before + 1) return;
    constexpr char line[] = "qcd_starpu: a second signal: ended without a result\n";
    if (write(STDERR_FILENO, line, sizeof line - 1) < 0) {
    } // there is nothing else to do
    end_by(signal);
}

} // namespace

void handle_stop_signals() { on_stop(on_signal); }

void handle_checkpoint_signal()
{
    std::signal(SIGUSR1, [](int signal) {
        int none = 0;
        first_signal().number.compare_exchange_strong(none, signal);
        stop_requested = true;
    });
}

void leave_stop_signals_alone()
{
    on_stop(SIG_DFL);
    if (stop_requested) end_by(first_signal().number);
}

void end_stalled_run()
{
    std::fprintf(stderr,
                 "qcd_starpu: nothing has moved for %d s since the signal: ended without a "
                 "result\n",
                 int(stall_patience.count()));
    end_by(first_signal().number);
    while (true) pause(); // until it has arrived
}

} // namespace qcd

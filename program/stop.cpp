#include "program/stop.hpp"

#include "runtime/session_options.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
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

/// What a handler knows of ranks.
struct RanksOfHandler {
    std::atomic<int> rank{-1}; // -1: there is one
    std::atomic<pid_t> first{0};
};
RanksOfHandler& ranks_of_handler()
{
    static constinit RanksOfHandler ranks;
    return ranks;
}

/// A launcher ends ranks, too, when one of them has died, of which nobody else has told the user:
/// the first one does, and where it is the dead one, the second.
void tell_of_the_launchers_end(int signal)
{
    const RanksOfHandler& r = ranks_of_handler();
    if (signal != SIGTERM || r.rank < 0) return;
    const bool first_is_dead = r.first > 0 && kill(r.first, 0) != 0 && errno == ESRCH;
    if (r.rank != (first_is_dead ? 1 : 0)) return;
    constexpr char line[] =
        "qcd_starpu: mpirun ends all ranks: one has died, or mpirun had a signal\n";
    if (write(STDERR_FILENO, line, sizeof line - 1) < 0) {
    } // there is nothing else to do
}

/// Prints from a handler of signals.
void say(const char* line)
{
    for (const char* const part :
         {static_cast<const char*>(program_invocation_short_name), ": ", line, "\n"})
        if (write(STDERR_FILENO, part, std::strlen(part)) < 0) break; // there is nothing else to do
}

void on_stop(void (*handler)(int))
{
    for (const int signal : stop_signals)
        if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
}

/// Ends the program as if there were no handler: a shell sees 128 + signal.
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
        tell_of_the_launchers_end(signal);
        return;
    }
    if (now.tv_sec <= before + 1) return;
    say("a second signal: ended without a result");
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

void handle_signals_of_ranks(int rank, int first)
{
    ranks_of_handler().first = first;
    ranks_of_handler().rank = rank;
    std::signal(SIGUSR1, on_signal);
}

void leave_stop_signals_alone()
{
    on_stop(SIG_DFL);
    if (stop_requested) end_by(first_signal().number);
}

void end_stalled_run()
{
    std::fprintf(stderr,
                 "%s: nothing has moved for %d s since the signal: ended without a result\n",
                 program_invocation_short_name, int(stall_patience.count()));
    end_by(first_signal().number);
    while (true) pause(); // until it has arrived
}

} // namespace qcd

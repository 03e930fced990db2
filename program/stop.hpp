#pragma once
// Ctrl-C, SIGTERM and a batch system's SIGUSR1: the first one asks for an end, and what does not
// come to it is ended.

#include "base/error.hpp"

#include <atomic>
#include <string>

namespace qcd
{

/// Set by the first SIGINT or SIGTERM: end with what there is.
extern std::atomic<bool> stop_requested;

/// Ended by a signal where there is no result to end with.
struct Interrupted : Error {
    explicit Interrupted(const std::string& line) : Error(line, exit_not_converged) {}
};
/// Throws it once a stop is requested.
inline void stop_if_asked(const char* line)
{
    if (stop_requested) throw Interrupted(line);
}

/// Is there an i-th of so many solves? The first one always: stopped before it began, it still has
/// an x.
inline bool goes_on(int i, int repeat) { return i == 0 || (i < repeat && !stop_requested); }

/// From now on the first of these sets stop_requested, and one that comes two seconds later ends
/// the process by that signal, with one line. Not if who started us wants them ignored.
void handle_stop_signals();

/// From now on SIGUSR1, by which batch systems warn, sets stop_requested as well. It counts as
/// none of the others: these may come after it.
void handle_checkpoint_signal();

/// Signals of one of several ranks, besides: SIGUSR1, which launchers send on to all, asks for an
/// end like those; and where the launcher ends all ranks by SIGTERM, one of them says so. first:
/// the process of rank 0 where it is on this host, else 0.
void handle_signals_of_ranks(int rank, int first);

/// From now on they end the process, as they do by default.
void leave_stop_signals_alone();

/// Nothing has moved since stop_requested: ends the process by the first signal, with one line.
void end_stalled_run();

} // namespace qcd

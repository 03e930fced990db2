#pragma once
// One line on a terminal that is rewritten while a solver runs:
//   iteration 120  |r|/|b| 3.21e-05  412 it/s  about 3 s left

#include <chrono>
#include <cstdio>
#include <deque>
#include <optional>
#include <string>

namespace qcd
{

/// A time in a unit that suits it: "12 s", "7 min", "2.5 h".
std::string duration(double seconds);

/// How fast a solve goes and when it will end, from the iterations seen lately.
class ProgressEstimate
{
public:
    /// tolerance on the relative residual; last_iteration: when it ends at the latest.
    ProgressEstimate(double tolerance, long last_iteration);

    /// seconds: since any fixed moment, not decreasing. A residual of 0 or NaN counts for the rate
    /// only.
    void add(double seconds, long iteration, double relative_residual);

    double iterations_per_second() const; ///< 0: not known yet

    /// Until the straight line through log |r| meets the tolerance or the last iteration is done,
    /// whichever is first. Nothing while neither is known.
    std::optional<double> seconds_left() const;

    /// The line without control characters.
    std::string line() const;

private:
    struct Sample {
        double seconds, iteration, log_residual;
    };
    std::optional<double> slope() const; ///< of log |r| per iteration

    double log_tolerance_;
    long last_iteration_;
    double residual_ = 1;
    std::deque<Sample> window_;
};

/// Writes the estimate to a terminal, at most 10 times a second; removes the line at its end.
class Progress
{
public:
    /// tolerance 0: exactly last_iteration iterations. Silent if `quiet` or if `out` is not a
    /// terminal.
    Progress(double tolerance, long last_iteration, bool quiet, std::FILE* out = stderr);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void update(long iteration, double relative_residual);

private:
    using Clock = std::chrono::steady_clock;
    std::FILE* out_; ///< null: silent
    ProgressEstimate estimate_;
    Clock::time_point start_, shown_;
};

} // namespace qcd

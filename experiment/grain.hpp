#pragma once
// How small tasks may be: which share of the workers' time is work, against the size of tasks.

#include "experiment/statistics.hpp"

#include <optional>
#include <vector>

namespace qcd::experiment
{

/// One run of many tasks.
struct TaskRun {
    double seconds = 0; ///< from the first submission until the last task has ended
    double work = 0;    ///< seconds in the functions of tasks, of all workers together
    double tasks = 0;
    int workers = 1;

    /// The share of the workers' time that is work, 0 to 1.
    double efficiency() const { return work / (workers * seconds); }
    /// Seconds that a task works, the mean.
    double size() const { return work / tasks; }
    /// Seconds of a worker for each task in which it does not work: the runtime's, and in which it
    /// waits for others.
    double overhead() const { return (workers * seconds - work) / tasks; }
};

/// All rounds of one setting.
struct GrainPoint {
    Summary seconds, efficiency, size, overhead;
};
GrainPoint point_of(const std::vector<TaskRun>& rounds, double confidence);

/// The size of tasks, in seconds, at which half of the workers' time is work: where the efficiency,
/// which is taken as linear in the logarithm of the size, rises to 1/2 first. 0: it is more already
/// with the smallest tasks; infinity: it is less even with the largest ones. At least one run.
double half_grain(std::vector<TaskRun> of_sizes);

/// The grain of half, from several rounds.
struct HalfGrain {
    int rounds = 0;
    int below = 0;                 ///< rounds where it is below the smallest tasks
    int above = 0;                 ///< where it is above the largest ones
    std::optional<double> seconds; ///< exp of the mean of its logarithm, where most rounds have it
    std::optional<Interval> interval{}; ///< Student's; where all rounds have it, at least two
};
HalfGrain half_grain(const std::vector<std::vector<TaskRun>>& rounds, double confidence);

} // namespace qcd::experiment

#pragma once
// From what was recorded of runs to times of tasks.

#include "runtime/events.hpp"
#include "runtime/task_times.hpp"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace qcd
{

class TaskSamples
{
public:
    /// Adds the tasks of a run in which `busy` workers were busy, and returns their seconds, all
    /// together. Tasks that did nothing are left out. While StarPU's workers are there.
    double add(const std::vector<Event>&, int busy);
    /// Times of all runs, in the order of operations, workers and bytes.
    std::vector<TaskTime> times() const;

private:
    using Key = std::tuple<std::string, std::vector<std::string>, std::string, int, double>;
    std::map<Key, std::vector<double>> seconds_;
};

} // namespace qcd

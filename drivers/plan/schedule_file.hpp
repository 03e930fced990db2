#pragma once
// Schedules as JSON (docs/plans.md, docs/schema/schedule.schema.json): what StarPU decided, to be
// replayed in other runs, looked at, or changed by hand.

#include "runtime/schedule.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace qcd
{

/// What such a file says.
struct ScheduleFile {
    struct Operation {
        std::string name;
        int tile = -1;              ///< -1: of none
        std::vector<int> waits_for; ///< operations of the iteration
    };
    struct Iteration {
        std::string fingerprint; ///< Period::fingerprint()
        std::vector<Operation> operations;
        Schedule schedule;
    };
    std::vector<std::string> kinds; ///< of the workers
    std::vector<Iteration> iterations;
};

/// All that are known, as one file; whole, or it stays as it was. Throws Error where there are none,
/// as a solve that ends early has none.
void write_schedules(const std::string& file, const Schedules&);

/// Throws Error, with the file's name, where it cannot be read.
ScheduleFile read_schedule_file(const std::string& file);

/// Reads the schedules of a run with workers of these kinds, by the fingerprint of their iteration.
/// Throws Error, with the file's name, where it cannot be read, or is of other workers.
std::unordered_map<std::string, Schedule> read_schedules(const std::string& file,
                                                         const std::vector<std::string>& kinds);

} // namespace qcd

#pragma once
// Where the time of the workers went, by task name.

#include "traces/trace.hpp"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace qcd
{

struct ProfileRow {
    std::string name, worker_kind;
    long count = 0;
    double mean_us = 0, median_us = 0, min_us = 0, max_us = 0;
    double total_ms = 0;
    double share = 0; ///< of the time of all workers, 0 to 1
};

/// Where the time of a worker went; the sum is that of the profile.
struct WorkerRow {
    std::string name, device;
    long tasks = 0;
    double busy_ms = 0; ///< in tasks
    /// Outside of them as TraceWorker says, no more than there is.
    std::optional<double> overhead_ms{}, waiting_ms{};
    double idle_ms = 0; ///< the rest
};

/// Messages of one name.
struct MessageRow {
    std::string what;
    long count = 0;
    double bytes = 0;     ///< of all
    double median_us = 0; ///< from made to received
    double max_us = 0;
    double sending_us = 0; ///< median, from made to sent
};

/// Worker time = number of workers x time from the start of the first task to the end of the last,
/// or of what is shown of a trace. Tasks: of one operation each, or operations inside of batches.
struct Profile {
    std::vector<ProfileRow> rows; ///< one per name and kind of worker, the largest share first
    std::vector<WorkerRow> of_workers;
    std::vector<MessageRow> of_messages; ///< between ranks
    long tasks = 0;
    int workers = 0;
    double start_ms = 0, end_ms = 0; ///< first task, last task
    double median_task_us = 0;       ///< over all tasks
    double idle_share = 0;           ///< worker time outside tasks: waiting, runtime, transfers
};

/// Workers without a task count as idle.
Profile make_profile(const Trace&);

/// Tables with a heading that defines their columns.
void print_text(std::ostream&, const Profile&);
/// Prints the workers alone, each line after a margin.
void print_workers(std::ostream&, const Profile&, const std::string& margin);
/// Prints the table of messages; nothing where there are none.
void print_messages(std::ostream&, const Profile&, const std::string& margin);
void print_csv(std::ostream&, const Profile&);

/// The tasks in StarPU's tasks.rec that have a name, a start and an end. worker_kinds: "CPU",
/// "CUDA", ... by worker number. Throws Error if a task's worker is not in it.
Trace read_task_records(std::istream&, const std::vector<std::string>& worker_kinds);

} // namespace qcd

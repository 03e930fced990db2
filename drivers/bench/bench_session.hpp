#pragma once
// StarPU started anew for each set of workers that `bench` measures.

#include "drivers/plan/run_plan.hpp"
#include "program/devices.hpp"
#include "runtime/machine_probe.hpp"
#include "runtime/session.hpp"

#include <optional>
#include <vector>

namespace qcd
{

/// StarPU with exactly these workers.
class BenchSession
{
public:
    /// options: all but the numbers of workers. Throws DeviceError.
    BenchSession(const ExecutionSpec& options, const WorkerCounts&, bool verbose, Ranks&);

    const Session& session() const { return *session_; }
    const Workers& workers() const { return workers_; }
    /// On the options' tiling, or the one that a solve with these workers would choose.
    RunPlan plan(const Extents& lattice, Precision, LinkStorage = LinkStorage::full) const;

private:
    Environment environment_; // first: restored last
    ExecutionSpec options_;
    std::optional<Session> session_;
    Workers workers_;
};

/// CPU with one worker, with all, and with one of all cores, or, where cores per worker are given,
/// with workers of so many only; then a device of each kind: what options and environment do not
/// exclude and the machine has. Of several ranks each has as many, of one core each. Throws
/// DeviceError when an asked-for kind is missing.
std::vector<WorkerCounts> bench_configurations(const ExecutionSpec&, const MachineFacts&,
                                               const std::vector<Device>&, const Ranks&);

} // namespace qcd

#pragma once
// StarPU is started anew for each set of workers that `bench` measures.

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
    /// options: everything but the numbers of workers. Throws DeviceError.
    BenchSession(const ExecutionSpec& options, const WorkerCounts&, bool verbose, Ranks&);

    const Session& session() const { return *session_; }
    const Workers& workers() const { return workers_; }
    /// The plan on the options' tiling, or on the one that a solve with these workers would choose.
    RunPlan plan(const Extents& lattice, Precision, LinkStorage = LinkStorage::full) const;

private:
    ExecutionSpec options_;
    std::optional<Session> session_;
    Workers workers_;
};

/// The sets of workers to measure: one CPU worker, all of them, and one worker of all cores, or,
/// where cores per worker are given, only workers of so many; then a device of each kind that the
/// machine has, unless options or the environment exclude it. Each of several ranks has as many
/// workers, of one core each. Throws DeviceError when a kind is missing that is asked for.
std::vector<WorkerCounts> bench_configurations(const ExecutionSpec&, const MachineFacts&,
                                               const std::vector<Device>&, const Ranks&);

} // namespace qcd

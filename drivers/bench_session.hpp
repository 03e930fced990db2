#pragma once
// StarPU started anew for each set of workers that `bench` measures.

#include "drivers/devices.hpp"
#include "drivers/machine.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace qcd
{

/// The environment variables that choose StarPU's workers and scheduler are at the end as they
/// were.
class EnvironmentKeeper
{
public:
    EnvironmentKeeper();
    ~EnvironmentKeeper();
    EnvironmentKeeper(const EnvironmentKeeper&) = delete;
    EnvironmentKeeper& operator=(const EnvironmentKeeper&) = delete;

private:
    std::map<const char*, std::optional<std::string>> values_;
};

/// StarPU with exactly these workers.
class BenchSession
{
public:
    /// options: tiles and scheduler. Throws DeviceError.
    BenchSession(const cli::MachineOptions& options, const WorkerCounts&);

    const Machine& machine() const { return machine_; }
    /// The options' tiling, or the one that a solve would choose.
    Tiling tiling(const Extents& lattice, std::size_t real_bytes) const;

private:
    EnvironmentKeeper environment_; // first: restored last
    cli::MachineOptions options_;
    Machine machine_;
};

/// CPU with one worker, with all, and with one of all cores, or, where cores per worker are given,
/// with workers of so many only; then a device of each kind: what options and environment do not
/// exclude and the machine has. Throws DeviceError when an asked-for kind is missing.
std::vector<WorkerCounts> bench_configurations(const cli::MachineOptions&, const MachineFacts&,
                                               const std::vector<Device>&);

} // namespace qcd

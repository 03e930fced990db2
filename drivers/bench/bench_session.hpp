#pragma once
// StarPU started anew for each set of workers that `bench` measures.

#include "drivers/machine/devices.hpp"
#include "drivers/machine/machine.hpp"

#include <optional>
#include <vector>

namespace qcd
{

/// StarPU with exactly these workers.
class BenchSession
{
public:
    /// options: all but the numbers of workers. Throws DeviceError.
    BenchSession(const cli::MachineOptions& options, const WorkerCounts&);

    const Machine& machine() const { return *machine_; }
    /// The options' tiling, or the one that a solve would choose.
    Tiling tiling(const Extents& lattice, std::size_t real_bytes) const;

private:
    Environment environment_; // first: restored last
    cli::MachineOptions options_;
    std::optional<Machine> machine_;
};

/// CPU with one worker, with all, and with one of all cores, or, where cores per worker are given,
/// with workers of so many only; then a device of each kind: what options and environment do not
/// exclude and the machine has. Throws DeviceError when an asked-for kind is missing.
std::vector<WorkerCounts> bench_configurations(const cli::MachineOptions&, const MachineFacts&,
                                               const std::vector<Device>&);

} // namespace qcd

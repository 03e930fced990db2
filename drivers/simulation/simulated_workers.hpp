#pragma once

#include "drivers/simulation/machine_file.hpp"
#include "drivers/spec/commands.hpp"
#include "runtime/session_options.hpp"

namespace qcd
{

/// Workers of the machine, as asked for or as a solve there would choose them. Throws DeviceError
/// where it lacks them, Error where it would choose some that are not simulated.
SessionOptions simulated_workers(const RunSpec&, const Extents&, const SimulatedMachine&, Ranks&);

} // namespace qcd

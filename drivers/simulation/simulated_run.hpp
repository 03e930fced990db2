#pragma once
// A solve whose tasks are simulated: what qcd_starpu_sim runs.

#include "drivers/run/run_report.hpp"
#include "drivers/spec/commands.hpp"
#include "runtime/simulated_machine.hpp"

namespace qcd
{

/// Submits the tasks of options.run.method.iterations() iterations as the solve does, in StarPU's
/// simulation of the machine, and writes what options.output asks for. Exit status 0. Throws Error,
/// DeviceError.
ExitStatus run_simulated(const SimulateSpec&, const SimulatedMachine&, Ranks&);

/// JSON of a simulated run: that of a solve without what only kernels find (docs/json.md).
nlohmann::ordered_json simulation_json(const RunReport&, const SimulatedMachine&);
void print_simulation(std::ostream&, const RunReport&, const SimulatedMachine&);

} // namespace qcd

#include "drivers/commands/commands.hpp"
#include "drivers/simulation/machine_file.hpp"
#include "drivers/simulation/simulator.hpp"

namespace qcd
{

int run_simulate(const SimulateSpec& o)
{
    return run_simulator(machine_of(o.machine()), o.run.output.call.arguments);
}

} // namespace qcd

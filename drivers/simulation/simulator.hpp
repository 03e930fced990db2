#pragma once
// The program that simulates, run in a process of its own.

#include "runtime/simulated_machine.hpp"

#include <string>
#include <vector>

namespace qcd
{

/// Runs qcd_starpu_sim with these arguments on the machine, and waits for its end: its exit status.
/// What it says on stderr goes into the file `said`, if one is named.
/// Found as QCD_SIMULATOR says, beside this program, in ../libexec, or where `./bootstrap
/// simulator` builds it. Throws DeviceError where it is not there, Error where it cannot be run.
int run_simulator(const SimulatedMachine&, const std::vector<std::string>& arguments,
                  const std::string& said = "");

} // namespace qcd

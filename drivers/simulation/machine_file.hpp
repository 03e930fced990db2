#pragma once
// Machines in files that one can read and write by hand (docs/simulate.md,
// docs/schema/machine.schema.json).

#include "runtime/simulated_machine.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace qcd
{

/// Throws Error, one line that names the file and what is wrong with it.
SimulatedMachine read_machine(const std::string& file);

nlohmann::ordered_json to_json(const SimulatedMachine&);
/// Throws Error.
void write_machine(const std::string& file, const SimulatedMachine&);

/// Where `calibrate` keeps this host's machine and `--machine this` finds it: in XDG_CACHE_HOME,
/// else STARPU_HOME, else ~/.cache; empty: nowhere.
std::string file_of_this_machine();

/// --machine's value: a file, or "this". Throws Error.
SimulatedMachine machine_of(const std::string& option);

} // namespace qcd

#pragma once
// What options mean together: every rule about a run in one table.

#include "drivers/spec/run_spec.hpp"
#include "program/cli/argument_checks.hpp"

#include <set>
#include <string>
#include <string_view>

namespace qcd
{

/// Options that were typed, or stand in a file of options, by their first names.
using Given = std::set<std::string, std::less<>>;

/// Where a run is asked for.
enum class Asker { one_process, ranks, simulation };

/// Throws Error, in one line that names the option, where a run is asked for what it cannot do.
/// This happens before anything is allocated.
void require_possible(const RunSpec&, const Given&, Asker = Asker::one_process);

/// What is not given and follows from what is: solver, even-odd, tolerance, ... but links, which
/// follow from the gauge field. Says in `note` what is not the usual.
RunSpec completed(RunSpec, std::string* note = nullptr);

/// Files that a run reads and writes are different, readable or writable. Throws Error.
void require_files(const RunSpec&, const Given&, const std::string& config_file);

/// The file that the gauge field is read from; "": it is generated.
std::string gauge_file(const ProblemSpec&);

/// These, and all that a run writes.
cli::OptionFiles with_outputs(cli::OptionFiles, const RunSpec&);

/// No file is written over one that is read, or over another that is written: those of the run, the
/// file of options, and those that a command itself reads and writes. Throws Error.
void keep_apart(const RunSpec&, const std::string& config_file, cli::OptionFiles read = {},
                cli::OptionFiles written = {});

} // namespace qcd

#pragma once
// Options that several commands share. Each group is added before parsing; finish_...() checks
// afterwards what needs several options, and throws Error.

#include "drivers/cli/argument_checks.hpp"
#include "drivers/cli/options.hpp"
#include "drivers/cli/parser.hpp"
#include "lattice/files/spinor_file.hpp"

#include <initializer_list>

namespace qcd::cli
{

void add_problem(Parser&, ProblemOptions&);
constexpr long most_repetitions = 1000000000;          // or iterations
constexpr long last_spinor = most_spinors_of_file - 1; // its number

void add_fields(Parser&, Precision&, std::optional<LinkStorage>&);
void add_method(Parser&, SolveOptions&);         ///< with those of add_fields()
void add_preconditioner(Parser&, SolveOptions&); ///< of gcr; after add_method()
/// --stencil's word: a version of the study, or null for "auto". Throws Error.
const StudyVersion* parse_stencil(const std::string&);
int parse_multiple(const std::string&); ///< Throws Error
/// More would gain nothing: links are read once for a dozen.
inline constexpr int most_rhs = 64;
void add_rhs(Parser&, int& rhs);
void add_stencil(Parser&, SolveOptions&);
void add_machine(Parser&, MachineOptions&);
void add_gpu_memory(Parser&, MachineOptions&); ///< one of add_machine()
void add_engine(Parser&, Engine&);
void add_split(Parser&, std::optional<Split>&);
std::optional<PlanChoice> parse_plan(const std::string&); ///< none: "auto". Throws Error
void add_plan(Parser&, std::optional<PlanChoice>&);
/// --phases, --solution-phases: of files that are written.
void add_written_phases(Parser&, const char* option, BoundaryPhases&);
void add_solution_files(Parser&, SolveOptions&); ///< --guess, --save-solution
void add_checkpoint(Parser&, SolveOptions&);     ///< --checkpoint, --resume; after those above
void add_json(Parser&, OutputOptions&);
void add_dry_run(Parser&, bool&);
void add_output(Parser&, OutputOptions&); ///< --json, --quiet and --verbose

void finish_problem(const Parser&, ProblemOptions&, std::optional<LinkStorage>);
void finish_method(const Parser&, SolveOptions&);
void finish_preconditioner(const SolveOptions&); ///< part of finish_method()
void finish_solution_files(const Parser&, const SolveOptions&);
void finish_checkpoint(const Parser&, const SolveOptions&);
void finish_machine(const Parser&, const MachineOptions&, Engine);
void finish_output(const Parser&, OutputOptions&);
/// Throws Error, naming the option, where so many iterations of these are not what is simulated.
void require_simulated(const SolveOptions&);
/// With it none of these options, which write.
void finish_dry_run(const Parser&, bool dry_run, std::initializer_list<const char*> outputs);

// Commands with options of their own.
Command parse_propagator(const std::vector<std::string>& arguments);
Command parse_compare(const std::vector<std::string>& arguments);
Command parse_trace(const std::vector<std::string>& arguments);
Command parse_convert(const std::vector<std::string>& arguments);
Command parse_check(const std::vector<std::string>& arguments);
Command parse_ladder(const std::vector<std::string>& arguments);
Command parse_simulate(const std::vector<std::string>& arguments);
Command parse_calibrate(const std::vector<std::string>& arguments);

/// These, and all that the output options write.
OptionFiles with_outputs(OptionFiles, const OutputOptions&);
/// No file may be written over the gauge field or another's.
void keep_files_apart(const ProblemOptions&, const OutputOptions&);

} // namespace qcd::cli

#pragma once
// Spinors of a run that come from files, and its solution in one.

#include "drivers/run/run_report.hpp"
#include "drivers/spec/commands.hpp"
#include "lattice/files/spinor_writer.hpp"
#include "lattice/spinor_source.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace qcd
{

/// The right-hand side of the options: generated, or of a file, all of which was read and found
/// good. Its notes go to stderr. Throws Error.
std::unique_ptr<SpinorSource> open_problem_source(const ProblemSpec&, const Extents&,
                                                  const OutputSpec&);
/// The sources of so many right-hand sides: generated ones (lattice/several_sources.hpp), or as
/// many spinors of a file, which follow each other.
std::vector<std::unique_ptr<SpinorSource>> open_problem_sources(ProblemSpec, int rhs,
                                                                const Extents&, const OutputSpec&);

/// The spinor of each right-hand side that --guess names, likewise; none: without it.
std::vector<std::unique_ptr<SpinorSource>> open_guesses(const RunSpec&, const Extents&);

/// What a file of spinors of this problem is to say of its phases.
SaidPhases written_phases(std::optional<BoundaryPhases>, const ProblemSpec&);

/// Can --save-solution be written? Throws Error before there is anything to lose.
void try_solution_file(const RunSpec&, const Extents&, const Ranks&);

/// Writes what `add_sites` adds where --save-solution asks for it; what fails is kept in
/// RunReport::unsaved, so that it does not cost the report.
void save_solution(RunReport&, const RunSpec&, Ranks&,
                   const std::function<void(SpinorWriter&)>& add_sites);

} // namespace qcd

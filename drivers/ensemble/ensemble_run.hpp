#pragma once
// A run of `generate`, with a StarPU session of its own: what the command executes, and what
// `compare generate` compares.

#include "drivers/ensemble/ensemble_report.hpp"
#include "drivers/ensemble/ensemble_state.hpp"
#include "drivers/spec/commands.hpp"

namespace qcd
{

class Ranks;
class RunObserver;

/// The first field, and what is known of it: of --start, or of the file of --resume. Throws Error.
SavedEnsemble beginning_of(const GenerateSpec&);

/// What decides on the fields, as a command without workers and files.
std::string ensemble_command(const GenerateSpec&, const Extents& lattice);

/// Sweeps, measures and saves as asked for, without a word on stdout. observer: null, or told of
/// the sweeps. Throws Error.
EnsembleReport run_ensemble(const GenerateSpec&, SavedEnsemble, Ranks&, RunObserver*);

} // namespace qcd

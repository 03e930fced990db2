#pragma once
// A solve by plain loops over the lattice, without tasks: what --engine sequential and openmp run.

#include "drivers/run/run_report.hpp"
#include "drivers/spec/run_spec.hpp"

namespace qcd
{

class ObservedGauge;
class SpinorSource;

/// In the precision that the spec says, on as many threads; prints what its output lets it. On a
/// dry run it ends before anything is allocated. Saves the solution where that is asked for. Throws
/// Error.
RunReport solve_with_baseline(const RunSpec&, ObservedGauge&, const SpinorSource&);

} // namespace qcd

#pragma once

#include "drivers/spec/commands.hpp"

namespace qcd
{

class Ranks;

// The subcommands. Each returns the exit status and throws Error.
int run_solve(const SolveSpec&, Ranks&);
int run_propagator(const PropagatorSpec&, Ranks&);
int run_generate(const GenerateSpec&, Ranks&);
int run_apply(ApplySpec, Ranks&);
int run_bench(const BenchSpec&, Ranks&);
int run_compare(const CompareSpec&, Ranks&);
int run_ladder(LadderSpec, Ranks&);
int run_trace(const TraceSpec&);
int run_simulate(const SimulateSpec&);
int run_calibrate(const CalibrateSpec&);
int run_info(const InfoSpec&);
int run_convert(const ConvertSpec&);
int run_check(const CheckSpec&);

} // namespace qcd

#pragma once

#include "drivers/spec/commands.hpp"

namespace qcd
{

/// How long `--split auto` may measure: a tenth of what the solve is predicted to take, at most
/// 10 s. The prediction is the fastest iteration that was measured so far, as often as the solve
/// has iterations.
class MeasurementBudget
{
public:
    explicit MeasurementBudget(double iterations) : iterations_(iterations) {}
    /// An iteration on the whole lattice would take so long.
    void measured(double iteration_seconds);
    double prediction() const { return prediction_; } ///< seconds of the solve; 0: none yet
    double seconds() const; ///< that may be spent; 10 without a prediction

private:
    double iterations_, prediction_ = 0;
};

/// Iterations that all solves of the run have: those of --iterations, or for each digit of the
/// tolerance so many as solves on plain links take at kappa 0.125, at most --max-iterations.
double expected_iterations(const RunSpec&);

} // namespace qcd

#include "drivers/plan/measurement_budget.hpp"

#include <algorithm>
#include <cmath>

namespace qcd
{

namespace
{

constexpr double most_seconds = 10, share_of_solve = 0.1;
constexpr double iterations_a_digit = 30; // on plain links at kappa 0.125

} // namespace

void MeasurementBudget::measured(double iteration_seconds)
{
    const double all = iterations_ * iteration_seconds;
    prediction_ = prediction_ > 0 ? std::min(prediction_, all) : all;
}

double MeasurementBudget::seconds() const
{
    return prediction_ > 0 ? std::min(most_seconds, share_of_solve * prediction_) : most_seconds;
}

double expected_iterations(const RunSpec& o)
{
    const double one = o.method.iterations()
                           ? *o.method.iterations()
                           : std::min(double(*o.method.max_iterations()),
                                      -iterations_a_digit* std::log10(*o.method.tolerance()));
    return one * o.execution.repeat();
}

} // namespace qcd

#pragma once
// The mean of a series whose values depend on those before, as the measurements of a Markov chain.

#include <vector>

namespace qcd::experiment
{

/// tau is the integrated autocorrelation time, in steps of the series: 1/2 + sum of rho(t), t from 1
/// to the window, rho the normalised autocorrelation; independent values have 1/2. The window is the
/// first one of at least 6 tau of its own (Madras and Sokal 1988).
struct SeriesMean {
    int n = 0;
    double mean = 0;
    double error = 0;     ///< of the mean, from the deviation of means of bins
    int bin = 1;          ///< values of a bin
    int bins = 0;         ///< a rest that fills no bin is left out of the error
    double tau = 0.5;     ///< in steps of the series
    double tau_error = 0; ///< of tau: tau sqrt(2 (2 window + 1)/n)
    double tau_window = 0;
};

/// Bins have at least 10 tau values where that leaves ten of them, else as many as leave ten. Of a
/// series of fewer than two values the error is NaN. All values are finite.
SeriesMean mean_of_series(const std::vector<double>&);

} // namespace qcd::experiment

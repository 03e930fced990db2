#include "experiment/autocorrelation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace qcd::experiment
{

namespace
{

double mean_of(const std::vector<double>& x)
{
    double sum = 0;
    for (const double value : x) sum += value;
    return sum / double(x.size());
}

/// The covariance of x and of itself `step` steps later, about the mean.
double autocovariance(const std::vector<double>& x, double mean, std::size_t step)
{
    double sum = 0;
    for (std::size_t i = 0; i + step < x.size(); ++i) sum += (x[i] - mean) * (x[i + step] - mean);
    return sum / double(x.size() - step);
}

void add_autocorrelation_time(const std::vector<double>& x, SeriesMean& m)
{
    constexpr double windows = 6; // of tau
    const double variance = autocovariance(x, m.mean, 0);
    if (!(variance > 0)) return; // all alike: independent as far as one can see
    const std::size_t longest = x.size() / 2;
    for (std::size_t t = 1; t <= longest && double(t) < windows * m.tau; ++t) {
        m.tau += autocovariance(x, m.mean, t) / variance;
        m.tau = std::max(m.tau, 0.5 / double(x.size())); // noise may take it below 0
        m.tau_window = double(t);
    }
    m.tau_error = m.tau * std::sqrt(2 * (2 * m.tau_window + 1) / double(x.size()));
}

} // namespace

SeriesMean mean_of_series(const std::vector<double>& x)
{
    SeriesMean m{.n = int(x.size())};
    if (x.empty()) {
        m.mean = m.error = std::numeric_limits<double>::quiet_NaN();
        return m;
    }
    m.mean = mean_of(x);
    if (m.n < 2) {
        m.error = std::numeric_limits<double>::quiet_NaN();
        return m;
    }
    add_autocorrelation_time(x, m);
    constexpr int taus_a_bin = 10, least_bins = 10;
    m.bin = std::clamp(int(std::ceil(taus_a_bin * m.tau)), 1, std::max(1, m.n / least_bins));
    m.bins = m.n / m.bin;
    std::vector<double> bins;
    for (int b = 0; b < m.bins; ++b)
        bins.push_back(mean_of({x.begin() + long(b) * m.bin, x.begin() + long(b + 1) * m.bin}));
    const double mean = mean_of(bins);
    double squares = 0;
    for (const double b : bins) squares += (b - mean) * (b - mean);
    m.error = std::sqrt(squares / double(m.bins - 1) / double(m.bins));
    return m;
}

} // namespace qcd::experiment

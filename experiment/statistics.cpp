#include "experiment/statistics.hpp"

#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/statistics/t_test.hpp>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <boost/math/tools/toms748_solve.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace qcd::experiment
{

namespace
{

namespace bm = boost::math;

/// The interval of the mean of n numbers.
Interval interval_of(double mean, double deviation, int n, double confidence)
{
    const bm::students_t student(n - 1);
    const double half =
        bm::quantile(bm::complement(student, (1 - confidence) / 2)) * deviation / std::sqrt(n);
    return {mean - half, mean + half};
}

/// Numbers that are all alike leave no doubt.
double p_of_zero_mean(double mean, double deviation, int n)
{
    if (deviation == 0) return mean == 0 ? 1 : 0;
    return bm::statistics::one_sample_t_test(mean, deviation * deviation, double(n), 0.0).second;
}

} // namespace

Summary summarise(const std::vector<double>& sample, double confidence)
{
    std::vector<double> v;
    std::copy_if(sample.begin(), sample.end(), std::back_inserter(v),
                 [](double x) { return !std::isnan(x); });
    Summary s;
    s.n = int(v.size());
    if (v.empty()) return s;
    s.mean = bm::statistics::mean(v);
    const auto [least, greatest] = std::minmax_element(v.begin(), v.end());
    s.least = *least;
    s.greatest = *greatest;
    if (s.n > 1) {
        s.deviation = std::sqrt(bm::statistics::sample_variance(v));
        s.interval = interval_of(s.mean, *s.deviation, s.n, confidence);
    }
    s.median = bm::statistics::median(v); // last: it moves them
    return s;
}

PairedRatio paired_ratio(const std::vector<double>& a, const std::vector<double>& b,
                         double confidence)
{
    std::vector<double> logs;
    for (std::size_t i = 0; i < a.size(); ++i) logs.push_back(std::log(a[i] / b[i]));
    const Summary s = summarise(logs, confidence);
    PairedRatio r;
    r.rounds = s.n;
    r.ratio = std::exp(s.mean);
    r.deviation = s.deviation;
    if (s.n < 2) return r;
    r.interval = {std::exp(s.interval->low), std::exp(s.interval->high)};
    r.p = p_of_zero_mean(s.mean, *s.deviation, s.n);
    return r;
}

std::vector<double> holm(const std::vector<double>& p)
{
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](auto i, auto j) { return p[i] < p[j]; });
    std::vector<double> corrected(p.size());
    double so_far = 0;
    for (std::size_t k = 0; k < p.size(); ++k) {
        so_far = std::max(so_far, std::min(1.0, double(p.size() - k) * p[order[k]]));
        corrected[order[k]] = so_far;
    }
    return corrected;
}

std::optional<double> detectable_ratio(double deviation, int rounds, double level, double power)
{
    if (rounds < 2) return std::nullopt;
    const double freedom = rounds - 1;
    const double critical = bm::quantile(bm::complement(bm::students_t(freedom), level / 2));
    // It is so rarely found with the wrong sign that this does not count.
    const auto missed_too_often = [&](double centre) {
        return bm::cdf(bm::non_central_t(freedom, centre), critical) - (1 - power);
    };
    std::uintmax_t steps = 200;
    try {
        const auto centre = bm::tools::bracket_and_solve_root(
            missed_too_often, critical, 2.0, false, bm::tools::eps_tolerance<double>(40), steps);
        return std::exp(centre.second * deviation / std::sqrt(rounds));
    } catch (const std::runtime_error&) { // two rounds at a level of 1e-5: beyond all numbers
        return std::nullopt;
    }
}

} // namespace qcd::experiment

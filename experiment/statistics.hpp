#pragma once
// Mean and interval of a sample, comparison of two samples round by round. Student's distributions
// and moments are Boost.Math's.

#include <optional>
#include <vector>

namespace qcd::experiment
{

struct Interval {
    double low = 0, high = 0;
};

/// Says which values of a quantity are better: low ones for times, high ones for rates.
enum class Better { lower, higher };

struct Summary {
    int n = 0;
    double mean = 0, median = 0, least = 0, greatest = 0;
    std::optional<double> deviation;  ///< standard deviation of the sample (n - 1)
    std::optional<Interval> interval; ///< of the mean, by Student's t; none for n < 2

    double best(Better b) const { return b == Better::lower ? least : greatest; }
};

/// NaN does not count. confidence: as 0.95.
Summary summarise(const std::vector<double>&, double confidence);

/// The ratio of positive a to positive b.
struct PairedRatio {
    int rounds = 0;                   ///< that have both
    double ratio = 1;                 ///< exp of the mean of log(a/b)
    std::optional<double> deviation;  ///< of log(a/b) in the sample
    std::optional<Interval> interval; ///< of the ratio; none for fewer than two rounds
    std::optional<double> p;          ///< of ratio = 1, two-sided, by the paired t-test of log(a/b)
};

/// a[i] and b[i] are of the same round; a round where either is NaN does not count.
PairedRatio paired_ratio(const std::vector<double>& a, const std::vector<double>& b,
                         double confidence);

/// p of several tests so corrected that all of them together raise a false alarm as often as one
/// would (Holm 1979).
std::vector<double> holm(const std::vector<double>& p);

/// The ratio > 1 that a two-sided paired t-test at this level finds with this power in so many
/// rounds, where log(a/b) deviates so much. None for fewer than two rounds, or too few for the
/// level.
std::optional<double> detectable_ratio(double deviation, int rounds, double level, double power);

} // namespace qcd::experiment

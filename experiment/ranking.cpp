#include "experiment/ranking.hpp"

#include <algorithm>
#include <cmath>

namespace qcd::experiment
{

namespace
{

/// The line of a case that failed; a case that was interrupted before it ran has none.
std::string failure_of(const std::vector<Run>& runs, int which)
{
    for (const Run& r : runs)
        if (r.which == which && !r.outcome.failure.empty()) return r.outcome.failure;
    return {};
}

double mean_logarithm(std::vector<double> seconds)
{
    for (double& s : seconds) s = std::log(s);
    return summarise(seconds, 0.5).mean;
}

/// p of the best case (0) against each other one, corrected for all pairs.
std::vector<std::optional<double>> corrected(const std::vector<std::vector<double>>& seconds,
                                             const Certainty& c, int& pairs)
{
    std::vector<double> all;
    std::vector<std::optional<std::size_t>> place(seconds.size()); // of the pair with the best
    for (std::size_t i = 0; i < seconds.size(); ++i)
        for (std::size_t j = i + 1; j < seconds.size(); ++j)
            if (const auto p = paired_ratio(seconds[j], seconds[i], c.confidence).p) {
                if (i == 0) place[j] = all.size();
                all.push_back(*p);
            }
    pairs = int(all.size());
    const std::vector<double> p = holm(all);
    std::vector<std::optional<double>> with_best(seconds.size());
    for (std::size_t j = 0; j < seconds.size(); ++j)
        if (place[j]) with_best[j] = p[*place[j]];
    return with_best;
}

} // namespace

Ranking rank(const Design& d, const std::vector<Run>& runs, const Certainty& certainty)
{
    Ranking r{.certainty = certainty, .pairs = 0, .cases = {}};
    std::vector<Ranked> unranked;
    for (int i = 0; i < int(d.cases.size()); ++i) {
        Ranked c;
        c.which = i;
        c.seconds = summarise(seconds_of(d, runs, i), certainty.confidence);
        c.failure = failure_of(runs, i);
        if (c.failure.empty() && c.seconds.n == 0) c.failure = "not run";
        (c.failure.empty() ? r.cases : unranked).push_back(c);
    }
    const auto key = [&](const Ranked& c) { return mean_logarithm(seconds_of(d, runs, c.which)); };
    std::stable_sort(r.cases.begin(), r.cases.end(),
                     [&](const Ranked& a, const Ranked& b) { return key(a) < key(b); });
    std::vector<std::vector<double>> seconds;
    for (const Ranked& c : r.cases) seconds.push_back(seconds_of(d, runs, c.which));
    const auto p = corrected(seconds, certainty, r.pairs);
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        Ranked& c = r.cases[i];
        c.to_best = paired_ratio(seconds[i], seconds[0], certainty.confidence);
        if (i == 0) continue;
        c.corrected = p[i];
        c.differs = p[i] && *p[i] < certainty.level;
        if (c.to_best.deviation)
            c.detectable = detectable_ratio(*c.to_best.deviation, c.to_best.rounds,
                                            certainty.level / r.pairs, certainty.power);
    }
    r.cases.insert(r.cases.end(), unranked.begin(), unranked.end());
    return r;
}

double median_of(const Design& d, const Ranking& r, const std::string& name)
{
    for (const Ranked& c : r.cases)
        if (c.failure.empty() && d.cases[c.which].name == name) return c.seconds.median;
    return 0;
}

} // namespace qcd::experiment

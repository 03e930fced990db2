#include "drivers/tuning/shape_search.hpp"

#include <algorithm>

namespace qcd
{

namespace
{

constexpr int rounds = 5, duel_rounds = 15;
constexpr double hopeless = 1.04;     // times the best one, after a round or two
constexpr double worth_noting = 1.01; // times faster than the first

/// Of two in the middle the slower one, unlike median() of stopwatch.hpp: one lucky time out of two
/// must not make the others hopeless.
double slower_median(std::vector<double> v)
{
    std::nth_element(v.begin(), v.begin() + v.size() / 2, v.end());
    return v[v.size() / 2];
}

struct Entrant {
    LaunchShape shape;
    std::vector<double> seconds;
};

/// In turn, so that all meet the same clock; those far behind drop out, but not the first, which is
/// the result if none is clearly faster.
LaunchShape fastest(const std::vector<LaunchShape>& shapes, const ShapeTimer& time)
{
    std::vector<Entrant> left;
    for (const LaunchShape& s : shapes) left.push_back({s, {}});
    const auto by_median = [](const Entrant& a, const Entrant& b) {
        return slower_median(a.seconds) < slower_median(b.seconds);
    };
    const auto best = [&] { return *std::min_element(left.begin(), left.end(), by_median); };
    for (int round = 0; round < rounds && left.size() > 1; ++round) {
        for (Entrant& e : left) e.seconds.push_back(time(e.shape));
        if (round == 0) continue;
        const double limit = hopeless * slower_median(best().seconds);
        std::erase_if(left, [&](const Entrant& e) {
            return e.shape != shapes.front() && slower_median(e.seconds) > limit;
        });
    }
    if (left.size() == 1) return shapes.front();
    const Entrant winner = best();
    return slower_median(left.front().seconds) < worth_noting * slower_median(winner.seconds)
               ? shapes.front()
               : winner.shape;
}

} // namespace

MeasuredShape search_shape(const LaunchCase& launch, const ShapeTimer& time)
{
    LaunchShape best = fastest(brick_candidates(launch), time);
    std::vector<LaunchShape> chunks = chunk_candidates(launch, best);
    chunks.insert(chunks.begin(), best);
    best = fastest(chunks, time);
    std::vector<double> by_default, by_best;
    for (int round = 0; round < duel_rounds; ++round) {
        by_default.push_back(time({}));
        if (best != LaunchShape{}) by_best.push_back(time(best));
    }
    const double usual = slower_median(by_default),
                 chosen = by_best.empty() ? usual : slower_median(by_best);
    if (usual >= least_shape_gain * chosen) return {{launch, best}, 1e6 * chosen, 1e6 * usual};
    return {{launch, {}}, 1e6 * usual, 1e6 * usual};
}

} // namespace qcd

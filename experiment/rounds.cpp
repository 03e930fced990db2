#include "experiment/rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <numeric>

namespace qcd::experiment
{

namespace
{

double load_average()
{
    double load = 0;
    return getloadavg(&load, 1) == 1 ? load : 0;
}

/// The runs that are left, in their order.
std::vector<Run> runs_left(const Design& d, const std::vector<Run>& measured)
{
    const auto done = [&](int round, int which) {
        return std::any_of(measured.begin(), measured.end(), [&](const Run& r) {
            return r.round == round && r.which == which && r.outcome.failure.empty();
        });
    };
    const auto round_of = [&](int round, const auto& wanted) {
        std::vector<Run> some;
        const std::vector<int> order = order_of(d, round);
        for (int place = 0; place < int(order.size()); ++place)
            if (wanted(order[place])) some.push_back({round, place, order[place], 0, {}});
        return some;
    };
    std::vector<Run> counting;
    for (int round = 1; round <= d.rounds; ++round) {
        const auto some = round_of(round, [&](int which) { return !done(round, which); });
        counting.insert(counting.end(), some.begin(), some.end());
    }
    std::vector<Run> all;
    if (d.warm_up) // a process that has just begun has cold caches, also when it goes on
        all = round_of(0, [&](int which) {
            return std::any_of(counting.begin(), counting.end(),
                               [&](const Run& r) { return r.which == which; });
        });
    all.insert(all.end(), counting.begin(), counting.end());
    return all;
}

/// The wall time of each case, with all that belongs to a run.
class WallTimes
{
public:
    explicit WallTimes(std::size_t cases) : seconds_(cases) {}
    void set(int which, double seconds) { seconds_[which] = seconds; }
    /// A case that has not run yet takes as long as the others do.
    std::optional<double> of(std::span<const Run> runs) const
    {
        double sum = 0;
        int known = 0;
        for (const auto& s : seconds_)
            if (s) {
                sum += *s;
                ++known;
            }
        if (known == 0) return std::nullopt;
        return std::accumulate(runs.begin(), runs.end(), 0.0, [&](double all, const Run& r) {
            return all + seconds_[r.which].value_or(sum / known);
        });
    }

private:
    std::vector<std::optional<double>> seconds_;
};

} // namespace

std::vector<Run> run_rounds(const Design& d, const Control& control, RunFile* file)
{
    using Clock = std::chrono::steady_clock;
    std::vector<Run> own; // without a file
    std::vector<Run> left = runs_left(d, file ? file->runs() : own);
    WallTimes times(d.cases.size());
    for (std::size_t done = 0; done < left.size(); ++done) {
        if (control.stop && control.stop()) break;
        Run& run = left[done];
        if (control.progress)
            control.progress({int(done), int(left.size()), run.round, run.which,
                              times.of(std::span(left).subspan(done))});
        run.load_average = load_average();
        const Clock::time_point start = Clock::now();
        const std::optional<Outcome> outcome = control.run(run.which);
        if (!outcome) break;
        times.set(run.which, std::chrono::duration<double>(Clock::now() - start).count());
        run.outcome = *outcome;
        if (file)
            file->append(run);
        else
            own.push_back(run);
        if (outcome->failure.empty()) continue;
        const int which = run.which;
        if (control.left_out)
            control.left_out(fmt::format("{}: {}", d.cases[which].name, outcome->failure));
        left.erase(std::remove_if(left.begin() + std::ptrdiff_t(done) + 1, left.end(),
                                  [&](const Run& r) { return r.which == which; }),
                   left.end());
    }
    return file ? file->runs() : own;
}

int runs_to_go(const Design& d, const std::vector<Run>& measured)
{
    return int(runs_left(d, measured).size());
}

bool complete(const Design& d, const std::vector<Run>& runs)
{
    return std::count_if(runs.begin(), runs.end(), [](const Run& r) {
               return r.round > 0 && r.outcome.failure.empty();
           }) == std::ptrdiff_t(d.cases.size()) * d.rounds;
}

std::string differing_digests(const Design& d, const std::vector<Run>& runs)
{
    std::vector<const Run*> first(d.cases.size()); // with a digest
    for (const Run& r : runs) {
        if (r.outcome.digest.empty()) continue;
        const Run*& other = first[d.one_result ? 0 : std::size_t(r.which)];
        if (!other) other = &r;
        if (r.outcome.digest != other->outcome.digest)
            return fmt::format("{} gives {}, {} gives {}", d.cases[other->which].name,
                               other->outcome.digest, d.cases[r.which].name, r.outcome.digest);
    }
    return {};
}

std::vector<double> seconds_of(const Design& d, const std::vector<Run>& runs, int which)
{
    std::vector<double> seconds(d.rounds, std::numeric_limits<double>::quiet_NaN());
    for (const Run& r : runs)
        if (r.which == which && r.round > 0 && r.round <= d.rounds && r.outcome.failure.empty())
            seconds[r.round - 1] = r.outcome.seconds;
    return seconds;
}

} // namespace qcd::experiment

// The parts of a bound against brute force, on small random problems.

#include "drivers/compare/area_bound.hpp"
#include "runtime/task_graph.hpp"
#include "tests/drivers/draws.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace qcd;
using namespace qcd::test;

namespace
{

AreaProblem random_problem(int sorts, int kinds)
{
    AreaProblem p;
    for (int k = 0; k < kinds; ++k) p.workers.push_back(whole(1, 3));
    for (int s = 0; s < sorts; ++s) {
        p.tasks.push_back(whole(0, 6));
        p.seconds.emplace_back();
        for (int k = 0; k < kinds; ++k) p.seconds.back().push_back(1e-5 * std::exp(uniform(0, 5)));
    }
    return p;
}

/// By duality: for weights w of the kinds that sum to 1, T >= sum over sorts of tasks times the
/// least of w seconds / workers; the best weights give T.
double best_of_grid(const AreaProblem& p, int steps)
{
    double best = 0;
    const auto value = [&](const std::vector<double>& w) {
        double sum = 0;
        for (std::size_t s = 0; s < p.tasks.size(); ++s) {
            double least = INFINITY;
            for (std::size_t k = 0; k < w.size(); ++k)
                least = std::min(least, w[k] * p.seconds[s][k] / p.workers[k]);
            sum += p.tasks[s] * least;
        }
        return sum;
    };
    std::vector<double> w(p.workers.size());
    const std::function<void(std::size_t, int)> walk = [&](std::size_t k, int left) {
        if (k + 1 == w.size()) {
            w[k] = double(left) / steps;
            best = std::max(best, value(w));
            return;
        }
        for (int i = 0; i <= left; ++i) {
            w[k] = double(i) / steps;
            walk(k + 1, left - i);
        }
    };
    walk(0, steps);
    return best;
}

/// The bound for whole tasks: the least time of all ways to share them out.
double best_of_whole_tasks(const AreaProblem& p)
{
    double best = INFINITY;
    std::vector<double> load(p.workers.size());
    const std::function<void(std::size_t)> share = [&](std::size_t sort) {
        if (sort == p.tasks.size()) {
            double most = 0;
            for (std::size_t k = 0; k < load.size(); ++k)
                most = std::max(most, load[k] / p.workers[k]);
            best = std::min(best, most);
            return;
        }
        const int n = int(p.tasks[sort]);
        for (int first = 0; first <= n; ++first) { // on the first kind, the rest on the second
            load[0] += first * p.seconds[sort][0];
            load[1] += (n - first) * p.seconds[sort][1];
            share(sort + 1);
            load[0] -= first * p.seconds[sort][0];
            load[1] -= (n - first) * p.seconds[sort][1];
        }
    };
    share(0);
    return best;
}

void check_feasible(const AreaProblem& p, const AreaBound& b)
{
    std::vector<double> load(p.workers.size());
    for (std::size_t s = 0; s < p.tasks.size(); ++s) {
        double sum = 0;
        for (std::size_t k = 0; k < load.size(); ++k) {
            CHECK(b.tasks[s][k] >= 0);
            sum += b.tasks[s][k];
            if (b.tasks[s][k] > 0) load[k] += b.tasks[s][k] * p.seconds[s][k];
        }
        CHECK(sum == Approx(p.tasks[s]));
    }
    for (std::size_t k = 0; k < load.size(); ++k)
        CHECK(load[k] <= b.seconds * p.workers[k] * (1 + 1e-9));
}

} // namespace

TEST_CASE("the area bound of one kind of workers is their work over their number")
{
    for (int i = 0; i < 50; ++i) {
        const AreaProblem p = random_problem(whole(0, 4), 1);
        double sum = 0;
        for (std::size_t s = 0; s < p.tasks.size(); ++s) sum += p.tasks[s] * p.seconds[s][0];
        CHECK(area_bound(p).seconds == Approx(sum / p.workers[0]));
    }
}

TEST_CASE("the area bound is what can be reached, and no less: against grids of the dual problem")
{
    if (!has_linear_programs()) {
        WARN("built without lp_solve");
        return;
    }
    for (int i = 0; i < 60; ++i) {
        const int kinds = whole(2, 3);
        const AreaProblem p = random_problem(whole(1, 4), kinds);
        const AreaBound b = area_bound(p);
        INFO("problem " << i);
        check_feasible(p, b);
        const double grid = best_of_grid(p, kinds == 2 ? 20000 : 400);
        CHECK(b.seconds >= grid * (1 - 1e-9));
        CHECK(b.seconds <= grid * (kinds == 2 ? 1.01 : 1.5) + 1e-12);
        if (kinds == 2) CHECK(b.seconds <= best_of_whole_tasks(p) * (1 + 1e-9));
    }
}

TEST_CASE("tasks go where they can run; without such workers there is no end")
{
    if (!has_linear_programs()) return;
    AreaProblem p{{4, 2}, {1, 1}, {{1, INFINITY}, {INFINITY, 3}}};
    const AreaBound b = area_bound(p);
    CHECK(b.seconds == Approx(6));
    CHECK(b.tasks[0][0] == Approx(4));
    CHECK(b.tasks[1][1] == Approx(2));
    p.seconds[1] = {INFINITY, INFINITY};
    CHECK(std::isinf(area_bound(p).seconds));
    p.tasks = {0, 0};
    CHECK(area_bound(p).seconds == 0);
}

TEST_CASE("the critical path is the longest of all chains")
{
    for (int i = 0; i < 200; ++i) {
        TaskGraph g;
        const int nodes = whole(0, 9);
        std::vector<double> seconds;
        for (int n = 0; n < nodes; ++n) {
            std::vector<int> before;
            for (int b = 0; b < n; ++b)
                if (whole(0, 2) == 0) before.push_back(b);
            g.add({}, before);
            seconds.push_back(whole(0, 3) == 0 ? 0 : uniform(0, 1));
        }
        const std::function<double(int)> longest_to = [&](int n) { // every chain that ends there
            double most = 0;
            for (const int b : g.waits_for(std::size_t(n))) most = std::max(most, longest_to(b));
            return most + seconds[std::size_t(n)];
        };
        double longest = 0;
        for (int n = 0; n < nodes; ++n) longest = std::max(longest, longest_to(n));
        CHECK(critical_path(g, seconds) == Approx(longest));
    }
}

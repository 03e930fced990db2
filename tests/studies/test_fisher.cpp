// Every version of fisher has the same bits on all workers and slabs, those of a plain Newton
// method but for rounding, and comes near the travelling wave.

#include "tests/studies/runs.hpp"

#include <cmath>

using namespace qcd;
using namespace qcd::test;

namespace
{

double ablowitz_zeppetella(double x, double t)
{
    const double e = 1 + std::exp((x - 5 / std::sqrt(6.0) * t) / std::sqrt(6.0));
    return 1 / (e * e);
}

/// The largest distance from the wave, by Gauss and Seidel on Newton's equation for each cell:
/// another way to the same zero of F.
double plain_error(int nx, int ny, int steps, double dt, double length)
{
    const double h = length / (nx + 1), alpha = h * h / dt, beta = h * h;
    const auto at = [&](int x, int y) { return y * (nx + 2) + x; };
    std::vector<double> u(std::size_t(nx + 2) * (ny + 2));
    const auto set_edge = [&](double t) {
        for (int y = 0; y < ny + 2; ++y)
            for (int x = 0; x < nx + 2; ++x)
                if (x == 0 || y == 0 || x == nx + 1 || y == ny + 1)
                    u[at(x, y)] = ablowitz_zeppetella(h * x, t);
    };
    for (int y = 1; y <= ny; ++y)
        for (int x = 1; x <= nx; ++x) u[at(x, y)] = ablowitz_zeppetella(h * x, 0);
    for (int step = 1; step <= steps; ++step) {
        const std::vector<double> old = u;
        set_edge(step * dt);
        for (double largest = 1; largest > 1e-13;) {
            largest = 0;
            for (int y = 1; y <= ny; ++y)
                for (int x = 1; x <= nx; ++x) {
                    double& own = u[at(x, y)];
                    const double f = u[at(x + 1, y)] + u[at(x - 1, y)] + u[at(x, y + 1)] +
                                     u[at(x, y - 1)] - (4 + alpha) * own + beta * own * (1 - own) +
                                     alpha * old[at(x, y)];
                    const double change = f / (4 + alpha - beta * (1 - 2 * own));
                    own += change;
                    largest = std::max(largest, std::abs(change));
                }
        }
    }
    double error = 0;
    for (int y = 1; y <= ny; ++y)
        for (int x = 1; x <= nx; ++x)
            error = std::max(error, std::abs(u[at(x, y)] - ablowitz_zeppetella(h * x, steps * dt)));
    return error;
}

double fisher_error(const studies::Result& r) { return r.quantities.back().value; }

} // namespace

TEST_CASE("fisher has one result in every version on all workers and slabs", "[fisher]")
{
    const std::string problem = "fisher --size 37x11 --steps 1 --dt 0.05 --version ";
    const double expected = plain_error(37, 11, 1, 0.05, 10);
    std::string digest;
    on_all_workers([&](const StudyWorkers& workers) {
        for (const std::string version :
             {"fused --tiles 1", "fused --tiles 4", "fused --tiles 11 --look 3",
              "fused --tiles 3 --rows apart", "fused --tiles 2 --loads two",
              "fused --tiles 3 --loads two --rows apart --look 7", "separate --tiles 3", "whole",
              "fused --tiles 2 --plan pinned"}) {
            INFO(version);
            const studies::Result r = workers.run(problem + version);
            CHECK(r.ended);
            CHECK(r.fault == "");
            CHECK(std::abs(fisher_error(r) - expected) < 1e-9);
            if (digest.empty()) digest = r.digest;
            CHECK(r.digest == digest);
        }
        if (workers.session().workers().all() == 1)
            CHECK(workers.run(problem + "fused --tiles 2 --plan batch").digest == digest);
    });
}

TEST_CASE("fisher: rows longer than its lanes, and of one cell", "[fisher]")
{
    const StudyWorkers workers("cpu", {.cpus = 2, .cuda = 0, .opencl = 0});
    if (!workers.there()) return;
    for (const std::string size : {"150x5", "1x7", "64x2", "65x1"}) {
        INFO(size);
        const std::string line = "fisher --size " + size + " --steps 1 --version ";
        const studies::Result fused = workers.run(line + "fused --tiles 1");
        CHECK(fused.ended);
        CHECK(workers.run(line + "fused --tiles 1 --loads two").digest == fused.digest);
        CHECK(workers.run(line + "separate --tiles 1").digest == fused.digest);
        CHECK(workers.run(line + "whole").digest == fused.digest);
    }
}

TEST_CASE("fisher is of second order in space and of first in time", "[fisher]")
{
    const StudyWorkers workers("cpu", {.cpus = 2, .cuda = 0, .opencl = 0});
    if (!workers.there()) return;
    // Half the distance and a quarter of the step.
    const auto error = [&](int cells, double dt, int steps) {
        return fisher_error(workers.run(
            fmt::format("fisher --size {0}x{0} --dt {1} --steps {2}", cells, dt, steps)));
    };
    CHECK(std::log2(error(15, 0.1, 4) / error(31, 0.025, 16)) == Approx(2).margin(0.3));
}

// Every version of the wave has the bits of plain loops, and converges as its stencil promises.

#include "studies/frame/cells.hpp"
#include "tests/studies/runs.hpp"

#include <cmath>
#include <numbers>

using namespace qcd;
using namespace qcd::test;

namespace
{

std::string plain_waves(std::array<int, 3> n, double courant, int steps)
{
    const auto at = [&](int x, int y, int z) {
        return (((z + 2 * n[2]) % n[2]) * n[1] + (y + 2 * n[1]) % n[1]) * n[0] +
               (x + 2 * n[0]) % n[0];
    };
    std::array<double, 3> k;
    double omega2 = 0;
    for (int mu = 0; mu < 3; ++mu) {
        k[mu] = n[mu] > 1 ? 2 * std::numbers::pi / n[mu] : 0;
        omega2 += k[mu] * k[mu];
    }
    std::vector<double> u(std::size_t(n[0]) * n[1] * n[2]), before = u;
    const auto each = [&](const auto& f) {
        for (int z = 0; z < n[2]; ++z)
            for (int y = 0; y < n[1]; ++y)
                for (int x = 0; x < n[0]; ++x) f(x, y, z);
    };
    each([&](int x, int y, int z) {
        const double place = k[0] * x + k[1] * y + k[2] * z;
        u[at(x, y, z)] = std::sin(place - std::sqrt(omega2) * courant * 0);
        before[at(x, y, z)] = std::sin(place - std::sqrt(omega2) * courant * -1);
    });
    for (int i = 0; i < steps; ++i) {
        std::vector<double> after = u;
        each([&](int x, int y, int z) {
            const auto around = [&](int d) {
                return ((u[at(x + d, y, z)] + u[at(x - d, y, z)]) +
                        (u[at(x, y + d, z)] + u[at(x, y - d, z)])) +
                       (u[at(x, y, z + d)] + u[at(x, y, z - d)]);
            };
            const double own = u[at(x, y, z)];
            const double laplacian =
                std::fma(4.0 / 3.0, around(1), std::fma(-1.0 / 12.0, around(2), -7.5 * own));
            after[at(x, y, z)] =
                std::fma(courant * courant, laplacian, std::fma(2.0, own, -before[at(x, y, z)]));
        });
        before = u;
        u = after;
    }
    return studies::digest_of(u.data(), u.size() * sizeof(double));
}

double wave_error(const StudyWorkers& workers, int size, double courant, int steps)
{
    return workers.run(fmt::format("wave --size {} --courant {} --steps {}", size, courant, steps))
        .quantities.back()
        .value;
}

} // namespace

TEST_CASE("wave has the bits of plain loops in both versions on all workers", "[wave]")
{
    const std::pair<std::array<int, 3>, const char*> waves[] = {
        {{8, 8, 8}, "1x1x1"},   {{13, 7, 9}, "2x3x4"}, {{12, 5, 6}, "1x2x3"},
        {{11, 10, 4}, "5x1x1"}, {{2, 1, 3}, "1x1x1"},  {{16, 9, 11}, "2x1x2"}};
    on_all_workers([&](const StudyWorkers& workers) {
        for (const auto& [n, tiles] : waves)
            for (const char* version : {"plain", "vector"}) {
                const std::string line =
                    fmt::format("wave --size {}x{}x{} --tiles {} --version {} --steps 5 --courant "
                                "0.25",
                                n[0], n[1], n[2], tiles, version);
                INFO(line);
                CHECK(workers.run(line).digest == plain_waves(n, 0.25, 5));
            }
        CHECK(workers.run("wave --size 13x7x9 --tiles 2x1x2 --steps 5 --courant 0.25 --plan pinned")
                  .digest == plain_waves({13, 7, 9}, 0.25, 5));
        if (workers.session().workers().all() == 1)
            CHECK(workers
                      .run("wave --size 13x7x9 --tiles 1x2x2 --steps 5 --courant 0.25 --plan "
                           "batch")
                      .digest == plain_waves({13, 7, 9}, 0.25, 5));
    });
}

TEST_CASE("wave of one cell in some directions is a wave in the others", "[wave]")
{
    on_all_workers([&](const StudyWorkers& workers) {
        for (const char* size : {"1", "1x8x8", "8x1x8", "8x8x1", "1x1x8"})
            CHECK(workers.run(fmt::format("wave --size {} --steps 20", size)).fault.empty());
    });
}

TEST_CASE("wave is of fourth order in space and of second in time", "[wave]")
{
    const StudyWorkers workers("cpu", {.cpus = 2, .cuda = 0, .opencl = 0});
    if (!workers.there()) return;
    // Half the distance and a quarter of the time step: a sixteenth of either error.
    const double space = wave_error(workers, 16, 0.2, 10) / wave_error(workers, 32, 0.1, 40);
    CHECK(std::log2(space) == Approx(4).margin(0.2));
    // The lattice is so fine that the error is that of time: half the step, a quarter of it.
    const double time = wave_error(workers, 48, 0.4, 24) / wave_error(workers, 48, 0.2, 48);
    CHECK(std::log2(time) == Approx(2).margin(0.15));
}

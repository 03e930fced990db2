// Every version of the sandpile ends in the state of a plain loop, on all workers, sizes and cuts.

#include "studies/frame/cells.hpp"
#include "studies/sandpile/picture.hpp"
#include "studies/sandpile/plain.hpp"
#include "tests/scratch.hpp"
#include "tests/studies/runs.hpp"

using namespace qcd;
using namespace qcd::test;

namespace
{

/// One unstable cell after another, in order, until there is none.
std::string settled_pile(int nx, int ny, const std::vector<int>& grains)
{
    std::vector<int> u = grains;
    const auto give = [&](int x, int y, int n) {
        if (x >= 0 && x < nx && y >= 0 && y < ny) u[y * nx + x] += n;
    };
    for (bool some = true; some;) {
        some = false;
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x)
                if (u[y * nx + x] >= 4) {
                    const int quarter = u[y * nx + x] / 4;
                    u[y * nx + x] -= 4 * quarter;
                    give(x + 1, y, quarter);
                    give(x - 1, y, quarter);
                    give(x, y + 1, quarter);
                    give(x, y - 1, quarter);
                    some = true;
                }
    }
    return studies::digest_of(u.data(), u.size() * sizeof(int));
}

std::string settled_fives(int nx, int ny)
{
    return settled_pile(nx, ny, std::vector<int>(std::size_t(nx) * ny, 5));
}

} // namespace

TEST_CASE("sandpile: tasks end in the state of a plain loop on all workers", "[sandpile]")
{
    const std::tuple<int, int, const char*> piles[] = {
        {1, 1, ""},
        {7, 1, "--version tiles --tiles 3"},
        {19, 17, "--version tiles --tiles 3x4"},
        {11, 9, "--version tiles --tiles 11x1 --look 3"},
        {33, 25, "--version overlap --tiles 1x3 --sweeps 8 --look 2"},
        {18, 35, "--version overlap --sweeps 5 --tiles 1"},
        {19, 17, "--version lazy --tiles 4x3 --sweeps 3"},
        {23, 17, "--version lazy --tiles 1 --sweeps 7"},
        {9, 8, "--version lazy --tiles 9x2 --sweeps 1 --plan pinned"},
        {13, 11, "--version tiles --tiles 2x2 --plan pinned"},
    };
    on_all_workers([&](const StudyWorkers& workers) {
        for (const auto& [nx, ny, how] : piles) {
            const std::string line = fmt::format("sandpile --size {}x{} {}", nx, ny, how);
            INFO(line);
            const studies::Result r = workers.run(line);
            CHECK(r.ended);
            CHECK(r.fault == "");
            CHECK(r.digest == settled_fives(nx, ny));
        }
        if (workers.session().workers().all() == 1)
            CHECK(workers.run("sandpile --size 13x11 --tiles 2x2 --plan batch").digest ==
                  settled_fives(13, 11));
    });
}

TEST_CASE("sandpile: plain loops end in the state of a plainer one", "[sandpile]")
{
    const StudyWorkers workers("cpu", {.cpus = 2, .cuda = 0, .opencl = 0});
    if (!workers.there()) return;
    const std::string expected = settled_fives(31, 22);
    for (const std::string version :
         {"naive", "synchronous", "absorb", "stack", "openmp",
          "openmp --schedule dynamic,2 --touch one", "openmp --schedule static,1", "openmp-absorb",
          "openmp-absorb --schedule dynamic"}) {
        INFO(version);
        const studies::Result r = workers.run("sandpile --size 31x22 --version " + version);
        CHECK(r.fault == "");
        CHECK(r.digest == expected);
    }
}

TEST_CASE("sandpile: towers; parts that are stable have no tasks", "[sandpile]")
{
    const StudyWorkers workers("cpu", {.cpus = 2, .cuda = 0, .opencl = 0});
    if (!workers.there()) return;
    std::vector<int> tower(90 * 80);
    tower[32 * 90 + 32] = tower[79 * 90 + 32] = tower[32 * 90 + 89] = tower[79 * 90 + 89] = 900;
    const std::string line = "sandpile --size 90x80 --pile towers --grains 900 --version ";
    const studies::Result lazy = workers.run(line + "lazy --tiles 9x8"),
                          tiles = workers.run(line + "tiles --tiles 9x8");
    CHECK(lazy.digest == settled_pile(90, 80, tower));
    CHECK(tiles.digest == lazy.digest);
    const auto submitted = [](const studies::Result& r) { return r.quantities[3].value; };
    CHECK(submitted(tiles) == Approx(100));
    CHECK(submitted(lazy) < 60);
}

TEST_CASE("sandpile: a limit comes before the end", "[sandpile]")
{
    const StudyWorkers workers("cpu", {.cpus = 1, .cuda = 0, .opencl = 0});
    if (!workers.there()) return;
    for (const char* version : {"naive", "tiles", "lazy"})
        CHECK_FALSE(
            workers.run(fmt::format("sandpile --size 60 --max-sweeps 5 --version {}", version))
                .ended);
}

TEST_CASE("sandpile: the picture has a pixel a cell", "[sandpile]")
{
    const Scratch scratch;
    studies::Pile pile{5, 3, {0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 9, 1, 1, 1, 1}};
    studies::write_picture(scratch / "pile.png", pile);
    const std::string png = read_text(scratch / "pile.png");
    REQUIRE(png.size() > 24);
    CHECK(png.substr(1, 3) == "PNG");
    CHECK(int(png[19]) == 5); // width, height: in the header
    CHECK(int(png[23]) == 3);
    CHECK_THROWS_AS(studies::write_picture("/nowhere/pile.png", pile), Error);
}

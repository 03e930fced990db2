// Every version of matmul has the bits of three plain loops, on all workers, sizes and tilings.

#include "base/random.hpp"
#include "studies/frame/cells.hpp"
#include "studies/matmul/matmul.hpp"
#include "studies/yardsticks/libraries.hpp"
#include "tests/studies/runs.hpp"

#include <cmath>

using namespace qcd;
using namespace qcd::test;

namespace
{

struct MatmulSize {
    int m, n, k;
    const char* tiles;
};

std::string plain_product(int m, int n, int k)
{
    std::vector<double> c(std::size_t(m) * n);
    for (int y = 0; y < m; ++y)
        for (int x = 0; x < n; ++x)
            for (int i = 0; i < k; ++i)
                c[y * n + x] = std::fma(uniform(y * k + i, 1), uniform(i * n + x, 2), c[y * n + x]);
    return studies::digest_of(c.data(), c.size() * sizeof(double));
}

} // namespace

TEST_CASE("matmul has the bits of plain loops in every version on all workers", "[matmul]")
{
    const MatmulSize sizes[] = {{1, 1, 1, "1"},         {7, 5, 3, "2x3x2"},
                                {64, 64, 64, "1"},      {65, 63, 97, "2x2x3"},
                                {130, 70, 33, "3x1x2"}, {128, 64, 128, "2x1x2"}};
    on_all_workers([&](const StudyWorkers& workers) {
        for (const MatmulSize& s : sizes)
            for (const std::string version : {"naive", "blocks", "shared", "four", "padded"}) {
                if (version == "naive" && workers.session().workers().cpu == 0) continue;
                const std::string line =
                    fmt::format("matmul --size {}x{}x{} --tiles {} --version {}", s.m, s.n, s.k,
                                s.tiles, version);
                const studies::Result r = workers.run(line);
                INFO(line);
                CHECK(r.fault == "");
                CHECK(r.digest == plain_product(s.m, s.n, s.k));
            }
        const WorkerCounts w = workers.session().workers();
        const std::string expected = plain_product(50, 40, 30);
        CHECK(workers.run("matmul --size 50x40x30").digest == expected);
        CHECK(workers.run("matmul --size 50x40x30 --plan pinned").digest == expected);
        if (w.devices() > 0)
            CHECK(workers.run("matmul --size 50x40x30 --begin device").digest == expected);
        if (w.all() == 1)
            CHECK(workers.run("matmul --size 50x40x30 --tiles 2x2x2 --plan batch").digest ==
                  expected);
    });
}

TEST_CASE("DGEMM of libraries is right where they are there", "[matmul]")
{
    on_all_workers([&](const StudyWorkers& workers) {
        const WorkerCounts w = workers.session().workers();
        if ((w.cpu > 0 && studies::openblas_dgemm()) || (w.cuda > 0 && studies::cublas_dgemm()))
            CHECK(workers.run("matmul --size 65x63x97 --tiles 2 --version library").fault == "");
        else
            std::cerr << "SKIPPED: " << studies::openblas_words() << ", " << studies::cublas_words()
                      << '\n';
    });
}

#include "drivers/plan/rank_grid.hpp"

#include "base/error.hpp"

#include <catch2/catch.hpp>

#include <numeric>

using namespace qcd;

TEST_CASE("ranks are cut in t, then in z, then in y")
{
    const Extents l{8, 8, 8, 16};
    CHECK(rank_grid(l, 1, {}) == Extents{1, 1, 1, 1});
    CHECK(rank_grid(l, 8, {}) == Extents{1, 1, 1, 8});
    CHECK(rank_grid(l, 16, {}) == Extents{1, 1, 2, 8});
    CHECK(rank_grid(l, 6, {}) == Extents{1, 1, 1, 6});
    CHECK(rank_grid(l, 64, {}) == Extents{1, 2, 4, 8});
}

TEST_CASE("each rank has as many tiles in a direction")
{
    const Extents l{8, 8, 8, 16};
    CHECK(rank_grid(l, 4, {{1, 1, 2, 2}}) == Extents{1, 1, 2, 2});
    CHECK(rank_grid(l, 2, {{2, 2, 1, 1}}) == Extents{1, 2, 1, 1});
    CHECK_THROWS_AS(rank_grid(l, 2, {{2, 1, 1, 3}}), Error); // x is not cut
    CHECK_THROWS_AS(rank_grid(l, 4, {{1, 1, 1, 2}}), Error);
    CHECK_THROWS_AS(rank_grid(l, 17, {}), Error);
    CHECK_THROWS_AS(rank_grid({4, 4, 4, 4}, 3, {}), Error);
}

TEST_CASE("tiles of ranks fill the lattice, and the ranks' cuts are among theirs")
{
    const Extents l{8, 8, 8, 24};
    const Extents grid{1, 1, 1, 5}, tiles{1, 1, 2, 2};
    const auto thickness = thickness_of_ranks(l, grid, tiles);
    CHECK(thickness[2] == std::vector{4, 4});
    CHECK(thickness[3] == std::vector{4, 2, 4, 2, 2, 2, 2, 2, 2, 2}); // of 6, 6, 4, 4, 4
    CHECK(thickest_share(l, grid) == Extents{8, 8, 8, 6});
    CHECK(thickness_of_ranks(l, grid, {1, 1, 1, 3})[3].size() == 10); // the thin ones have 2
    for (int mu = 0; mu < 4; ++mu)
        CHECK(std::accumulate(thickness[mu].begin(), thickness[mu].end(), 0) == l[mu]);
}

// Tilings: every site has a place of its own, and steps between places are steps between
// coordinates.

#include "tasks/tiling.hpp"

#include "base/error.hpp"
#include "lattice/box.hpp"
#include "tests/tasks/tilings.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

using namespace qcd;
using namespace qcd::test;

namespace
{

/// The place that the kernels would look at for the neighbour of a site, by the rules of
/// codelets/device/shape.h.
SitePlace step(const Tiling& tiling, const SitePlace& from, int mu, int sign)
{
    const tile_shape& g = tiling.shape(from.tile);
    const block_step s = neighbour_block(g, place_of_block(g, from.block),
                                         from.parity ^ has_other_rows(g, from.lane), mu, sign);
    SitePlace to{1 - from.parity, from.tile, s.block, from.lane};
    if (!s.crosses) return to;
    to.lane = neighbour_lane(g, from.lane, mu, sign);
    if (!g.cut[mu] || !lane_at_edge(g, from.lane, mu, sign)) return to;
    // Into the next tile, which may be thicker or thinner: at its first block on the way in, in the
    // same row.
    to.tile = tiling.neighbour(from.tile, mu, sign);
    const tile_shape& next = tiling.shape(to.tile);
    block_place p = place_of_block(g, from.block);
    p.i[mu] = sign > 0 ? 0 : next.m[mu] - 1;
    to.block = block_number(next, p);
    return to;
}

bool same(const SitePlace& a, const SitePlace& b)
{
    return std::tie(a.parity, a.tile, a.block, a.lane) ==
           std::tie(b.parity, b.tile, b.block, b.lane);
}

} // namespace

TEST_CASE("tiling: kernels index the reals of a tile's links by an int", "[tiling]")
{
    const Extents huge{96, 96, 96, 192};
    CHECK_FALSE(Tiling(huge, {1, 1, 1, 1}).kernels_can_index());
    CHECK_FALSE(Tiling(huge, {1, 1, 1, 2}).kernels_can_index());
    const Tiling cut(huge, {1, 1, 1, 3});
    CHECK(cut.kernels_can_index());
    CHECK(4L * cut.shape(0).blocks * 18 * QCD_LANES < 1L << 31);
    CHECK(4L * (most_blocks + 1) * 18 * QCD_LANES > std::numeric_limits<int>::max());
}

TEST_CASE("tiling: every site has a place of its own", "[tiling]")
{
    const Cutting cutting = any_cutting();
    const Tiling tiling = cutting.tiling();
    INFO(cutting.name());
    std::set<std::tuple<int, int, int, int>> places;
    long padded = 0;
    for (int tile = 0; tile < tiling.tile_count(); ++tile) padded += tiling.padded_sites(tile);
    CHECK(padded == tiling.padded_sites());
    for_each_site(cutting.lattice, [&](const Coord& x) {
        const SitePlace p = tiling.place(x);
        const bool inside = p.parity == (x[0] + x[1] + x[2] + x[3]) % 2 && p.tile >= 0 &&
                            p.tile < tiling.tile_count() && p.block >= 0 &&
                            p.block < tiling.shape(p.tile).blocks && p.lane >= 0 && p.lane < 32;
        if (!inside) FAIL("the place of " << to_string(x) << " is outside");
        places.emplace(p.parity, p.tile, p.block, p.lane);
    });
    CHECK(long(places.size()) == volume(cutting.lattice));
}

TEST_CASE("tiling: lanes in use are the first ones, the same number in all tiles", "[tiling]")
{
    const Cutting cutting = any_cutting();
    const Tiling tiling = cutting.tiling();
    INFO(cutting.name());
    std::vector<long> sites(tiling.tile_count());
    for_each_site(cutting.lattice, [&](const Coord& x) { ++sites[tiling.place(x).tile]; });
    for (int tile = 0; tile < tiling.tile_count(); ++tile) {
        const tile_shape& g = tiling.shape(tile);
        const int lanes = 1 + (g.mask[0] | g.mask[1] | g.mask[2] | g.mask[3]);
        CHECK(lanes <= 32);
        CHECK(sites[tile] == 2L * g.blocks * lanes);
        CHECK(sites[tile] == 2 * tiling.sites(tile));
        CHECK(g.blocks == g.m[0] * g.m[1] * g.m[2] * g.m[3]);
        for (int mu = 0; mu < 4; ++mu) {
            CHECK(g.cut[mu] == tiling.cut(mu));
            CHECK(g.mask[mu] == tiling.shape(0).mask[mu]);
        }
    }
}

TEST_CASE("tiling: a crossing step fills a register from one register, whatever its width",
          "[tiling]")
{
    const Cutting cutting = any_cutting();
    const Tiling tiling = cutting.tiling();
    INFO(cutting.name());
    const tile_shape& g = tiling.shape(0);
    for (int width = 2; width <= QCD_LANES; width *= 2)
        for (int lane = 0; lane < QCD_LANES; ++lane)
            for (int mu = 0; mu < 4; ++mu)
                for (const int sign : {+1, -1}) {
                    const int first = lane / width * width;
                    CHECK(neighbour_lane(g, lane, mu, sign) / width ==
                          neighbour_lane(g, first, mu, sign) / width);
                }
}

TEST_CASE("tiling: lanes are empty only where extents have no more halvings, four parts (t: eight)",
          "[tiling]")
{
    const Cutting cutting = any_cutting();
    const Tiling tiling = cutting.tiling();
    INFO(cutting.name());
    int most = 1;
    for (int mu = 0; mu < 4; ++mu) {
        int parts = mu == 3 ? 8 : 4; // at most; of equal numbers of columns, rows
        for (const int l : cutting.thickness[mu])
            while (mu == 0 || tiling.cut(0) ? l / 2 % parts : l % parts) parts /= 2;
        most *= parts;
    }
    const tile_shape& g = tiling.shape(0);
    CHECK(1 + (g.mask[0] | g.mask[1] | g.mask[2] | g.mask[3]) == std::min(32, most));
    if (tiling.cut(0)) CHECK(g.other_rows == 0);
}

TEST_CASE("tiling: rows of both offsets share blocks only to fill lanes", "[tiling]")
{
    const auto mixes_rows = [](const Extents& lattice, const Extents& tiles) {
        return Tiling(lattice, tiles).shape(0).other_rows != 0;
    };
    CHECK_FALSE(mixes_rows({16, 16, 16, 32}, {1, 1, 1, 1}));
    CHECK_FALSE(mixes_rows({20, 20, 20, 40}, {1, 1, 1, 1}));
    CHECK(mixes_rows({20, 20, 20, 40}, {1, 1, 1, 2}));
    CHECK(mixes_rows({28, 28, 28, 56}, {1, 1, 1, 4}));
    CHECK(mixes_rows({18, 18, 18, 36}, {1, 1, 1, 1}));
}

TEST_CASE("tiling: for cores planes of blocks are small where time slices are large", "[tiling]")
{
    const auto blocks = [](const Extents& lattice, Suits suits) {
        const tile_shape g = Tiling(lattice, {1, 1, 1, 1}, suits).shape(0);
        return Extents{g.m[0], g.m[1], g.m[2], g.m[3]};
    };
    CHECK(blocks({24, 24, 24, 48}, Suits::devices) == Extents{6, 6, 6, 48});
    CHECK(blocks({24, 24, 24, 48}, Suits::cores) == Extents{3, 6, 12, 48});
    CHECK(blocks({16, 16, 16, 32}, Suits::cores) == blocks({16, 16, 16, 32}, Suits::devices));
}

TEST_CASE("tiling: for CUDA alone a block has all of y, where lanes are enough", "[tiling]")
{
    const auto blocks = [](const Extents& lattice, const Extents& tiles) {
        const tile_shape g = Tiling(lattice, tiles, Suits::cuda).shape(0);
        return Extents{g.m[0], g.m[1], g.m[2], g.m[3]};
    };
    CHECK(blocks({32, 32, 32, 64}, {1, 1, 1, 1}) == Extents{16, 1, 32, 64});
    CHECK(blocks({16, 16, 16, 32}, {1, 1, 1, 1}) == Extents{8, 1, 8, 32});
    CHECK(blocks({8, 8, 8, 16}, {1, 1, 1, 1}) == Extents{4, 1, 2, 16});
    CHECK(blocks({24, 24, 24, 48}, {1, 1, 1, 1}) == Extents{6, 6, 6, 48});
    CHECK(blocks({64, 64, 64, 128}, {1, 1, 1, 1}) == Extents{16, 16, 16, 128});
    CHECK(blocks({32, 32, 32, 64}, {1, 1, 1, 2}) == Extents{8, 8, 8, 32});
}

TEST_CASE("tiling: steps of the kernels are steps of coordinates", "[tiling]")
{
    const Cutting cutting = any_cutting();
    const Tiling tiling = cutting.tiling();
    INFO(cutting.name());
    for_each_site(cutting.lattice, [&](const Coord& x) {
        for (int mu = 0; mu < 4; ++mu)
            for (const int sign : {+1, -1}) {
                Coord y = x;
                y[mu] = (y[mu] + sign + cutting.lattice[mu]) % cutting.lattice[mu];
                if (!same(step(tiling, tiling.place(x), mu, sign), tiling.place(y)))
                    FAIL("a step " << sign << " in direction " << mu << " from " << to_string(x));
            }
    });
}

TEST_CASE("tiling: tiles have the thickness asked for and neighbours in a ring", "[tiling]")
{
    const Cutting cutting = any_cutting();
    const Tiling tiling = cutting.tiling();
    INFO(cutting.name());
    for (int mu = 0; mu < 4; ++mu) {
        CHECK(tiling.tiles()[mu] == int(cutting.thickness[mu].size()));
        for (int tile = 0; tile < tiling.tile_count(); ++tile) {
            int at = tile;
            for (int i = 0; i < tiling.tiles()[mu]; ++i) {
                CHECK(tiling.neighbour(tiling.neighbour(at, mu, +1), mu, -1) == at);
                at = tiling.neighbour(at, mu, +1);
            }
            CHECK(at == tile);
        }
        int edge = 0;
        for (std::size_t i = 0; i < cutting.thickness[mu].size(); ++i) {
            Coord first{}, last{};
            first[mu] = edge;
            edge += cutting.thickness[mu][i];
            last[mu] = edge - 1;
            CHECK(tiling.place(first).tile == tiling.place(last).tile);
        }
    }
    CHECK(tiling.any_cut() == (tiling.tile_count() > 1));
}

TEST_CASE("tiling: a number of tiles is split as evenly as even thickness allows", "[tiling]")
{
    CHECK(even_split(12, 1) == std::vector{12});
    CHECK(even_split(12, 4) == std::vector{4, 4, 2, 2});
    CHECK(even_split(10, 5) == std::vector{2, 2, 2, 2, 2});
    for (int extent = 2; extent <= 64; extent += 2)
        for (int count = 1; count <= extent / 2; ++count) {
            const auto split = even_split(extent, count);
            CHECK(std::accumulate(split.begin(), split.end(), 0) == extent);
            CHECK(split.front() - split.back() <= 2);
        }
    CHECK(Tiling({8, 4, 6, 12}, Extents{3, 2, 1, 5}).tiles() == Extents{3, 2, 1, 5});
}

TEST_CASE("tiling: what cannot be is an error that says so", "[tiling]")
{
    using Catch::Contains;
    const Extents lattice{8, 4, 4, 4};
    const auto cut_x = [&](std::vector<int> x) { return Tiling(lattice, {{x, {4}, {4}, {4}}}); };
    CHECK_THROWS_WITH(Tiling(lattice, Extents{5, 1, 1, 1}),
                      Contains("8x4x4x4") && Contains("1 to 4"));
    CHECK_THROWS_AS(Tiling(lattice, Extents{0, 1, 1, 1}), Error);
    CHECK_THROWS_AS(Tiling(lattice, Extents{-1, 1, 1, 1}), Error);
    CHECK_THROWS_AS(Tiling(lattice, Extents{1, 1, 1, 3}), Error);
    CHECK_THROWS_WITH(cut_x({4, 2}), Contains("add up to 8"));
    CHECK_THROWS_AS(cut_x({5, 3}), Error);
    CHECK_THROWS_AS(cut_x({8, 0}), Error);
    CHECK_THROWS_AS(cut_x({10, -2}), Error);
    CHECK_THROWS_AS(cut_x({}), Error);
    CHECK_THROWS_AS(Tiling({7, 4, 4, 4}, Extents{1, 1, 1, 1}), Error);
}

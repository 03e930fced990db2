// Grids of one to four dimensions: parts tile them, and what crosses a cut fits on both sides.

#include "runtime/grid.hpp"

#include "base/error.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>

#define ANY_DIMENSION ((int D), D), 1, 2, 3, 4

using namespace qcd;

namespace
{

/// Uneven cuts, some directions open: another grid for each seed.
template <int D>
Grid<D> any_grid(unsigned seed)
{
    std::mt19937 random(seed);
    const auto from_1_to = [&](int n) { return std::uniform_int_distribution(1, n)(random); };
    const int granularity = from_1_to(2);
    std::array<int, D> extents;
    std::array<std::vector<int>, D> thickness;
    std::array<bool, D> open;
    for (int mu = 0; mu < D; ++mu) {
        thickness[mu].resize(from_1_to(4));
        for (int& l : thickness[mu]) l = granularity * from_1_to(3);
        extents[mu] = std::accumulate(thickness[mu].begin(), thickness[mu].end(), 0);
        open[mu] = random() % 2;
    }
    return {extents, thickness, granularity, open};
}

constexpr unsigned grids = 30;

/// Calls f(x) for every x with 0 <= x[mu] < extents[mu], the first direction fastest.
template <std::size_t D, class F>
void for_each(const std::array<int, D>& extents, const F& f)
{
    std::array<int, D> x{};
    for (std::size_t mu = 0; mu < D;) {
        f(x);
        for (mu = 0; mu < D && ++x[mu] == extents[mu]; ++mu) x[mu] = 0;
    }
}

template <std::size_t D>
long volume_of(const std::array<int, D>& extents)
{
    return std::accumulate(extents.begin(), extents.end(), 1L, std::multiplies<>());
}

} // namespace

TEMPLATE_TEST_CASE_SIG("grid: every cell lies in one part, between its origin and extents",
                       "[grid]", ANY_DIMENSION)
{
    for (unsigned seed = 0; seed < grids; ++seed) {
        const Grid<D> grid = any_grid<D>(seed);
        std::vector<long> cells(grid.part_count());
        for_each(grid.extents(), [&](const std::array<int, D>& x) {
            const int part = grid.part_of(x);
            if (part < 0 || part >= grid.part_count()) FAIL("a cell is in no part");
            const auto origin = grid.origin(part), extents = grid.extents(part);
            for (int mu = 0; mu < D; ++mu)
                if (x[mu] < origin[mu] || x[mu] >= origin[mu] + extents[mu])
                    FAIL("a cell is outside of its part");
            ++cells[part];
        });
        for (int part = 0; part < grid.part_count(); ++part) {
            CHECK(cells[part] == volume_of(grid.extents(part)));
            CHECK(cells[part] == grid.cells(part));
        }
        CHECK(std::accumulate(cells.begin(), cells.end(), 0L) == volume_of(grid.extents()));
    }
}

TEMPLATE_TEST_CASE_SIG("grid: parts are numbered by their places, the first direction fastest",
                       "[grid]", ANY_DIMENSION)
{
    for (unsigned seed = 0; seed < grids; ++seed) {
        const Grid<D> grid = any_grid<D>(seed);
        int part = 0;
        for_each(grid.parts(), [&](const std::array<int, D>& place) {
            CHECK(grid.part_at(place) == part);
            CHECK(grid.place_of(part) == place);
            CHECK(grid.part_of(grid.origin(part)) == part);
            for (int mu = 0; mu < D; ++mu)
                CHECK(grid.extents(part)[mu] == grid.thickness()[mu][place[mu]]);
            ++part;
        });
        CHECK(part == grid.part_count());
        CHECK(grid.any_cut() == (part > 1));
        for (int mu = 0; mu < D; ++mu) CHECK(grid.cut(mu) == (grid.thickness()[mu].size() > 1));
    }
}

TEMPLATE_TEST_CASE_SIG("grid: the neighbour has the next cell, or there is none", "[grid]",
                       ANY_DIMENSION)
{
    for (unsigned seed = 0; seed < grids; ++seed) {
        const Grid<D> grid = any_grid<D>(seed);
        for (int part = 0; part < grid.part_count(); ++part)
            for (int mu = 0; mu < D; ++mu)
                for (const int sign : {+1, -1}) {
                    auto x = grid.origin(part);
                    x[mu] += sign > 0 ? grid.extents(part)[mu] : -1;
                    const bool outside = x[mu] < 0 || x[mu] == grid.extents()[mu];
                    const int next = grid.neighbour(part, mu, sign);
                    if (outside && grid.open(mu)) {
                        CHECK(next == -1);
                        continue;
                    }
                    x[mu] = (x[mu] + grid.extents()[mu]) % grid.extents()[mu];
                    CHECK(next == grid.part_of(x));
                    CHECK(grid.neighbour(next, mu, -sign) == part);
                }
    }
}

TEMPLATE_TEST_CASE_SIG("grid: faces are what lies at a part's edges, and fit their neighbours'",
                       "[grid]", ANY_DIMENSION)
{
    STATIC_REQUIRE(Grid<D>::faces == 2 * D);
    for (unsigned seed = 0; seed < grids; ++seed) {
        const Grid<D> grid = any_grid<D>(seed);
        for (int part = 0; part < grid.part_count(); ++part)
            for (int face = 0; face < grid.faces; ++face) {
                const int mu = face / 2, l = grid.extents(part)[mu];
                std::vector<long> cells(l + 1); // in so many layers
                for_each(grid.extents(part), [&](const std::array<int, D>& x) {
                    const int depth = face % 2 ? l - 1 - x[mu] : x[mu];
                    for (int layers = depth + 1; layers <= l; ++layers) ++cells[layers];
                });
                for (int layers = 0; layers <= l; ++layers)
                    CHECK(grid.face_cells(part, face, layers) == cells[layers]);
                CHECK(grid.face_cells(part, face) == cells[1]);
                CHECK_THROWS_AS(grid.face_cells(part, face, l + 1), Error);

                const int sender = grid.sender(part, face), opposite = face ^ 1;
                CHECK(sender == grid.neighbour(part, mu, face % 2 ? -1 : +1));
                if (sender < 0) continue;
                CHECK(grid.receiver(sender, face) == part);
                CHECK(grid.face_cells(sender, face) == grid.face_cells(part, opposite));
            }
    }
}

TEST_CASE("grid: an extent is split as evenly as the granularity allows", "[grid]")
{
    CHECK(even_split(12, 5, 1) == std::vector{3, 3, 2, 2, 2});
    CHECK(even_split(12, 4, 2) == std::vector{4, 4, 2, 2});
    CHECK(even_split(12, 2, 4) == std::vector{8, 4});
    for (const int granularity : {1, 2, 3, 4})
        for (int extent = granularity; extent <= 16 * granularity; extent += granularity)
            for (int count = 1; count <= extent / granularity; ++count) {
                const auto split = even_split(extent, count, granularity);
                CHECK(std::accumulate(split.begin(), split.end(), 0) == extent);
                CHECK(std::is_sorted(split.rbegin(), split.rend()));
                CHECK(split.front() - split.back() <= granularity);
                CHECK(split.front() == thickest(extent, count, granularity));
                for (const int l : split) CHECK(l % granularity == 0);
                CHECK(Grid<1>({extent}, {{split}}, granularity).parts()[0] == count);
            }
    CHECK(Grid<2>({7, 10}, {3, 4}).thickness() ==
          Grid<2>::Thickness{std::vector{3, 2, 2}, std::vector{3, 3, 2, 2}});
}

TEST_CASE("grid: what cannot be is an error of one line that says so", "[grid]")
{
    using Catch::Contains;
    using Thickness = Grid<2>::Thickness;
    const auto counts = [](std::array<int, 2> parts, int granularity = 1) {
        return Grid<2>({8, 6}, parts, granularity);
    };
    const auto cut_y = [](std::vector<int> y, int granularity = 1) {
        return Grid<2>({8, 6}, Thickness{{{8}, std::move(y)}}, granularity);
    };
    CHECK_NOTHROW(counts({8, 6}));
    CHECK_THROWS_WITH(counts({9, 1}),
                      Contains("9 parts in direction x of 8x6: must be from 1 to 8"));
    CHECK_THROWS_WITH(counts({1, 4}, 2), Contains("direction y") && Contains("from 1 to 3"));
    CHECK_THROWS_AS(counts({0, 1}), Error);
    CHECK_THROWS_AS(counts({1, -1}), Error);
    CHECK_THROWS_AS(counts({1, 1}, 4), Error); // 6 is no multiple of 4
    CHECK_THROWS_AS(counts({1, 1}, 0), Error);
    CHECK_NOTHROW(cut_y({4, 2}, 2));
    CHECK_THROWS_WITH(cut_y({4, 1}), Contains("direction y") && Contains("add up to 6"));
    CHECK_THROWS_WITH(cut_y({5, 1}, 2), Contains("multiples of 2"));
    CHECK_THROWS_AS(cut_y({6, 0}), Error);
    CHECK_THROWS_AS(cut_y({8, -2}, 2), Error);
    CHECK_THROWS_AS(cut_y({}), Error);
    CHECK_THROWS_AS(cut_y({6}, 0), Error);
    CHECK_THROWS_AS(Grid<1>({0}, std::array{1}), Error);
    const std::array huge{1 << 16, 1 << 16};
    CHECK_THROWS_WITH(Grid<2>(huge, huge), Contains("more parts than"));
    try {
        cut_y({4, 1});
    } catch (const Error& e) {
        CHECK(std::string(e.what()).find('\n') == std::string::npos);
        CHECK(e.exit_status() == exit_bad_input);
    }
}

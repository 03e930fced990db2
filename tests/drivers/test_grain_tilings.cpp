// Tilings of `bench --grain`: from as many parts as workers to the smallest that there are.

#include "drivers/bench/grain_tilings.hpp"
#include "tasks/tiling.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <numeric>

using namespace qcd;

namespace
{
using Parts = std::vector<int>;

long count(const Parts& p) { return std::accumulate(p.begin(), p.end(), 1L, std::multiplies<>()); }

/// As many as the largest part has.
auto cells_of(const Parts& extents)
{
    return [extents](const Parts& parts) {
        double cells = 1;
        for (std::size_t mu = 0; mu < extents.size(); ++mu)
            cells *= (extents[mu] + parts[mu] - 1) / parts[mu];
        return cells;
    };
}
std::vector<Parts> tilings_of(const Parts& extents, int thinnest, long least)
{
    return grain_tilings(extents, thinnest, least, cells_of(extents));
}
} // namespace

TEST_CASE("grain tilings halve parts, and leave them the smallest faces", "[tiling]")
{
    CHECK(tilings_of({4, 4, 4, 8}, 2, 1) ==
          std::vector<Parts>{
              {1, 1, 1, 1}, {1, 1, 1, 2}, {1, 1, 1, 4}, {1, 1, 2, 4}, {1, 2, 2, 4}, {2, 2, 2, 4}});
    CHECK(tilings_of({64, 32}, 16, 1) == std::vector<Parts>{{1, 1}, {2, 1}, {4, 1}, {4, 2}});
    // What cannot be halved again is cut as fine as it can be.
    CHECK(tilings_of({6, 2, 2, 2}, 2, 1) ==
          std::vector<Parts>{{1, 1, 1, 1}, {2, 1, 1, 1}, {3, 1, 1, 1}});
    // Parts of 5 cells are left out between those of 10 and of 4.
    CHECK(tilings_of({20}, 4, 2) == std::vector<Parts>{{2}, {5}});
}

TEST_CASE("grain tilings begin with a part for each worker", "[tiling]")
{
    CHECK(tilings_of({4, 4, 4, 8}, 2, 4).front() == Parts{1, 1, 1, 4});
    CHECK(tilings_of({4, 4, 4, 8}, 2, 3).front() == Parts{1, 1, 1, 4});
    CHECK(tilings_of({4, 4, 4, 8}, 2, 33).empty());
}

TEST_CASE("grain tilings of lattices have less work each, down to a block or two", "[tiling]")
{
    for (const Extents& lattice : {Extents{8, 8, 8, 16}, {4, 4, 4, 8}, {16, 16, 16, 32}}) {
        const auto blocks = [&](const Parts& p) {
            return double(Tiling(lattice, {p[0], p[1], p[2], p[3]}).shape(0).blocks);
        };
        double before = 1e9;
        for (const Parts& parts :
             grain_tilings({lattice.begin(), lattice.end()}, tile_granularity, 1, blocks)) {
            INFO(to_string(lattice) << ", " << joined_by_x(parts));
            CHECK(blocks(parts) < before);
            before = blocks(parts);
            // Full lanes: no task works on sites that are not there.
            CHECK(count(parts) * blocks(parts) * 2 * QCD_LANES == volume(lattice));
        }
        CHECK(before <= 2); // a block has four columns of a row in x at most
    }
}

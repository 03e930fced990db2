// Tilings that nobody asked for: legal, even, and never one that kernels cannot index.

#include "tasks/default_tiles.hpp"
#include "tasks/tiling.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace qcd;

namespace
{
constexpr double cache = 32 << 20;
constexpr Extents huge{96, 96, 96, 192}; // 2.85 times what kernels index as one tile

/// Share of the lanes that hold sites.
double filled(const Extents& lattice, const Extents& tiles)
{
    return double(volume(lattice)) / 2 / double(Tiling(lattice, tiles).padded_sites());
}
} // namespace

TEST_CASE("default tiles: a slab for each device, more where kernels could not index it",
          "[tiling]")
{
    CHECK(slabs_for_devices({16, 16, 16, 32}, 1) == Extents{1, 1, 1, 1});
    CHECK(slabs_for_devices({16, 16, 16, 32}, 4) == Extents{1, 1, 1, 4});
    CHECK(slabs_for_devices({16, 16, 16, 4}, 4) == Extents{1, 1, 1, 2}); // two slices each at least
    CHECK(slabs_for_devices(huge, 1) == Extents{1, 1, 1, 3});
    CHECK(slabs_for_devices(huge, 2) == Extents{1, 1, 1, 4});
    CHECK(slabs_for_devices(huge, 4) == Extents{1, 1, 1, 4});
}

TEST_CASE("default tiles: cores get equal shares with few lanes empty", "[tiling]")
{
    CHECK(tiles_for_cores({16, 16, 16, 32}, 1, cache, 8) == Extents{1, 1, 1, 1});
    CHECK(tiles_for_cores({16, 16, 16, 32}, 2, cache, 8) == Extents{1, 1, 1, 2});
    for (const Extents& lattice : {Extents{8, 8, 8, 16}, Extents{12, 12, 12, 24},
                                   Extents{20, 20, 20, 40}, Extents{24, 24, 24, 48}})
        for (const int workers : {2, 4, 16}) {
            const Extents tiles = tiles_for_cores(lattice, workers, cache, 8);
            INFO(to_string(lattice) << ", " << workers << " workers: " << to_string(tiles));
            CHECK(volume(tiles) >= workers / 2);
            CHECK(filled(lattice, tiles) >= 0.5);
        }
    CHECK(filled({12, 12, 12, 24}, tiles_for_cores({12, 12, 12, 24}, 2, cache, 8)) == 1);
    CHECK(Tiling(huge, tiles_for_cores(huge, 2, cache, 8)).kernels_can_index());
}

TEST_CASE("default tiles: one for each core where they link, unless that costs more than tasks",
          "[tiling]")
{
    const auto tiles = [](const Extents& lattice, int workers) {
        return tiles_for_linked_cores(lattice, workers, cache, 8);
    };
    CHECK(tiles({8, 8, 8, 16}, 2) == Extents{1, 1, 1, 2});
    CHECK(tiles({10, 10, 10, 20}, 2) == Extents{1, 1, 2, 1}); // by the rule for tasks 25
    CHECK(tiles({6, 6, 6, 12}, 2) == Extents{1, 1, 2, 1});
    CHECK(tiles({12, 12, 12, 12}, 4) == Extents{1, 1, 2, 2});
    CHECK(tiles({8, 8, 8, 8}, 8) == Extents{1, 1, 2, 4});
    for (const Extents& lattice : {Extents{4, 6, 10, 12}, Extents{6, 6, 10, 14},
                                   Extents{14, 14, 14, 28}, Extents{16, 16, 16, 32}})
        for (const int workers : {2, 3}) CHECK(volume(tiles(lattice, workers)) == workers);
    CHECK(volume(tiles({8, 8, 8, 8}, 7)) != 7);     // cannot be cut so
    CHECK(volume(tiles({10, 10, 10, 96}, 7)) != 7); // three quarters of the lanes would be empty
    CHECK(volume(tiles({18, 18, 18, 36}, 4)) != 4); // one would have 6 of 18 slices in z
}

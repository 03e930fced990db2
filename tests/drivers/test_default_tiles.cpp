// Tilings that nobody asked for: legal, even, and never one that kernels cannot index.

#include "drivers/plan/default_tiles.hpp"
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

TEST_CASE("default tiles: a device of a rank has several where they are large", "[tiling]")
{
    CHECK(slabs_each_on_ranks({32, 32, 32, 64}, 1) == 4);
    CHECK(slabs_each_on_ranks({32, 32, 32, 64}, 2) == 4);
    CHECK(slabs_each_on_ranks({32, 32, 32, 64}, 4) == 2);
    CHECK(slabs_each_on_ranks({24, 24, 24, 48}, 1) == 2);
    CHECK(slabs_each_on_ranks({16, 16, 16, 32}, 1) == 1);
    CHECK(slabs_each_on_ranks({64, 64, 64, 16}, 1) == 2); // eight slices each at least
    CHECK(slabs_each_on_ranks({64, 64, 64, 8}, 1) == 1);
}

TEST_CASE("default tiles: cores get equal shares with few lanes empty", "[tiling]")
{
    CHECK(tiles_for_cores({16, 16, 16, 32}, 1, 1, cache, 8) == Extents{1, 1, 1, 1});
    CHECK(tiles_for_cores({16, 16, 16, 32}, 2, 1, cache, 8) == Extents{1, 1, 1, 2});
    for (const Extents& lattice : {Extents{8, 8, 8, 16}, Extents{12, 12, 12, 24},
                                   Extents{20, 20, 20, 40}, Extents{24, 24, 24, 48}})
        for (const int workers : {2, 4, 16}) {
            const Extents tiles = tiles_for_cores(lattice, workers, 1, cache, 8);
            INFO(to_string(lattice) << ", " << workers << " workers: " << to_string(tiles));
            CHECK(volume(tiles) >= workers / 2);
            CHECK(filled(lattice, tiles) >= 0.5);
        }
    CHECK(filled({12, 12, 12, 24}, tiles_for_cores({12, 12, 12, 24}, 2, 1, cache, 8)) == 1);
    CHECK(Tiling(huge, tiles_for_cores(huge, 2, 1, cache, 8)).kernels_can_index());
}

TEST_CASE("default tiles: a graph has two for each worker, where the lattice can be cut so",
          "[tiling]")
{
    CHECK(tiles_for_cores({16, 16, 16, 32}, 2, 2, cache, 8) == Extents{1, 1, 1, 4});
    CHECK(volume(tiles_for_cores({24, 24, 24, 48}, 16, 2, cache, 8)) >= 32);
    CHECK(volume(tiles_for_cores({4, 4, 4, 4}, 2, 2, cache, 8)) == 4);
    CHECK(volume(tiles_for_cores({4, 4, 2, 4}, 2, 2, cache, 8)) == 2);
}

TEST_CASE("a graph costs little on a large lattice, much on a small one", "[tiling]")
{
    CHECK(graph_over_batch({24, 24, 24, 48}, 2, 8) < 1.1);
    CHECK(graph_over_batch({8, 8, 8, 16}, 2, 8) > 1.1);
    CHECK(graph_over_batch({8, 8, 8, 16}, 2, 4) > graph_over_batch({8, 8, 8, 16}, 2, 8));
    CHECK(graph_over_batch({4, 4, 4, 4}, 2, 8) > graph_over_batch({8, 8, 8, 16}, 2, 8));
}

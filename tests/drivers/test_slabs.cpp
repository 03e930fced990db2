#include "drivers/plan/slabs.hpp"

#include <catch2/catch.hpp>

using namespace qcd;

TEST_CASE("cores get a tile each, cut in z only where t does not suffice", "[slabs]")
{
    const Extents l = {16, 16, 16, 32};
    const Slabs thick = slabs_of(l, 16, 4);
    CHECK(thick.tiles_t == 4);
    CHECK(thick.tiles_z == 1);
    const Slabs thin = slabs_of(l, 2, 8);
    CHECK(thin.tiles_t == 1);
    CHECK(thin.tiles_z == 8);
    CHECK(slabs_of(l, 0, 4).tiles_t == 0);
    CHECK(slabs_of(l, 32, 1).tiles_t == 1);
}

TEST_CASE("slices follow the rates", "[slabs]")
{
    const Extents l = {16, 16, 16, 32};
    CHECK(best_slabs(l, 1, 1, {3, 1, 0}).core_slices == 8);
    CHECK(best_slabs(l, 1, 1, {1, 1, 0}).core_slices == 16);
    CHECK(best_slabs(l, 1, 3, {1, 1, 0}).core_slices == 24);
    CHECK(best_slabs(l, 1, 1, {1000, 1, 0}).core_slices == 2); // the thinnest slab
    CHECK(best_slabs({4, 4, 4, 2}, 1, 1, {1, 1, 0}).core_slices == 0);
    // The slowest decides, and what is waited for comes on top.
    CHECK(iteration_seconds(l, slabs_of(l, 8, 1), 1, {3.0 * 4096, 4096, 0}) == Approx(8));
    CHECK(iteration_seconds(l, slabs_of(l, 8, 1), 1, {3.0 * 4096, 2.0 * 4096, 1}) == Approx(9));
}

TEST_CASE("a share that is asked for becomes whole slabs", "[slabs]")
{
    const Extents l = {16, 16, 16, 32};
    CHECK(core_slices_for(0.75, l, 1) == 8);
    CHECK(core_slices_for(0.99, l, 1) == 2);
    CHECK(core_slices_for(0.01, l, 2) == 28);
    CHECK(core_slices_for(1, l, 1) == 0);
    CHECK(core_slices_for(0, l, 1) == 32);
}

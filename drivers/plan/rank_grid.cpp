#include "drivers/plan/rank_grid.hpp"

#include "base/error.hpp"
#include "tasks/tiling.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace qcd
{

namespace
{

/// The largest divisor of n for which f is true, which it is for 1.
template <class F>
int largest_divisor(int n, const F& f)
{
    int d = n;
    while (n % d != 0 || !f(d)) --d;
    return d;
}

} // namespace

Extents rank_grid(const Extents& lattice, int ranks, const std::optional<Extents>& tiles)
{
    Extents grid{1, 1, 1, 1};
    int left = ranks;
    for (const int mu : {3, 2, 1}) {
        grid[mu] = largest_divisor(left, [&](int d) {
            return d <= lattice[mu] / tile_granularity && (!tiles || (*tiles)[mu] % d == 0);
        });
        left /= grid[mu];
    }
    if (left == 1) return grid;
    if (tiles)
        throw Error(fmt::format("--tiles: {} ranks cannot have equal numbers of {} tiles: the "
                                "ranks' cuts, in t, z and y, are among the tiles'",
                                ranks, to_string(*tiles)));
    throw Error(fmt::format("mpirun: {} cannot be cut into parts for {} ranks, in t, z and y, each "
                            "at least {} sites thick",
                            to_string(lattice), ranks, tile_granularity));
}

Extents thickest_share(const Extents& lattice, const Extents& grid)
{
    Extents share;
    for (int mu = 0; mu < 4; ++mu) share[mu] = thickest(lattice[mu], grid[mu]);
    return share;
}

std::array<std::vector<int>, 4> thickness_of_ranks(const Extents& lattice, const Extents& grid,
                                                   const Extents& tiles_of_rank)
{
    std::array<std::vector<int>, 4> all;
    for (int mu = 0; mu < 4; ++mu) {
        const std::vector<int> parts = even_split(lattice[mu], grid[mu]);
        const int tiles = std::min(tiles_of_rank[mu], parts.back() / tile_granularity);
        for (const int part : parts) {
            const std::vector<int> of_part = even_split(part, tiles);
            all[mu].insert(all[mu].end(), of_part.begin(), of_part.end());
        }
    }
    return all;
}

} // namespace qcd

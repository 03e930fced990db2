#pragma once

#include "codelets/device/shape.h"
#include "lattice/extents.hpp"
#include "lattice/link_storage.hpp"
#include "runtime/grid.hpp"

#include <array>
#include <limits>
#include <vector>

namespace qcd
{

/// Where a site lies: its parity (x+y+z+t mod 2), tile, and block and lane in the tile
/// (codelets/device/shape.h).
struct SitePlace {
    int parity, tile, block, lane;
};

/// Whose kernels a tiling suits best.
enum class Suits { devices, cuda, cores };

/// Every cut lies at an even coordinate, so that a tile holds as many even as odd sites and local
/// parity is global parity.
inline constexpr int tile_granularity = 2;

/// A lattice as a grid of sites, a ring in every direction, whose parts are tiles.
class Tiling : public Grid<4>
{
public:
    /// tiles[mu] tiles in direction mu, as equal as even thickness allows; 1 .. extent/2 each.
    /// Throws Error if that is not possible.
    Tiling(const Extents& lattice, const Extents& tiles, Suits = Suits::devices);
    /// thickness[mu]: the even thicknesses of the tiles in direction mu; they add up to the extent.
    Tiling(const Extents& lattice, const Thickness&, Suits = Suits::devices);

    const Extents& lattice() const { return extents(); }
    /// Number of tiles per direction, and in all. Tiles are numbered x fastest.
    const Extents& tiles() const { return parts(); }
    int tile_count() const { return part_count(); }

    const tile_shape& shape(int tile) const { return shapes_[tile]; }

    SitePlace place(const Coord&) const;

    /// Sites of one parity of a tile.
    long sites(int tile) const;
    /// Slots for them, lanes that stay empty included.
    long padded_sites(int tile) const { return 32L * shapes_[tile].blocks; }
    long padded_sites() const;

    /// Do all tiles have at most most_blocks blocks? Others have no data (tasks/data.hpp).
    bool kernels_can_index() const;

private:
    struct InTile { // of one coordinate value of one direction
        int part, inner;
    };
    Tiling(const Grid&, Suits);
    void choose_parts(Suits);
    int most_halvings(int mu, bool odd) const;
    void make_shapes();

    std::array<int, 4> lane_bits_{}; // parts per direction are 2^lane_bits
    std::array<std::vector<InTile>, 4> in_tile_;
    std::vector<tile_shape> shapes_;
};

/// Kernels number the reals of a tile's links by an int.
inline constexpr int most_blocks =
    std::numeric_limits<int>::max() / (4 * reals(LinkStorage::full) * QCD_LANES);

/// The thicknesses of `count` tiles of an extent, as equal as possible, thicker ones first.
inline std::vector<int> even_split(int extent, int count)
{
    return even_split(extent, count, tile_granularity);
}
/// The first of these.
constexpr int thickest(int extent, int count) { return thickest(extent, count, tile_granularity); }

} // namespace qcd

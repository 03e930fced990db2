#pragma once

#include "codelets/device/shape.h"
#include "lattice/extents.hpp"
#include "lattice/link_storage.hpp"

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
enum class Suits { devices, cores };

/// A lattice cut into tiles by planes: the tiles of one direction may differ in thickness, and
/// every cut lies at an even coordinate, so that a tile holds as many even as odd sites and local
/// parity is global parity.
class Tiling
{
public:
    /// tiles[mu] tiles in direction mu, as equal as even thickness allows; 1 .. extent/2 each.
    /// Throws Error if that is not possible.
    Tiling(const Extents& lattice, const Extents& tiles, Suits = Suits::devices);
    /// thickness[mu]: the even thicknesses of the tiles in direction mu; they add up to the extent.
    Tiling(const Extents& lattice, const std::array<std::vector<int>, 4>& thickness,
           Suits = Suits::devices);

    const Extents& lattice() const { return lattice_; }
    /// Number of tiles per direction, and in all. Tiles are numbered x fastest.
    Extents tiles() const;
    int tile_count() const { return int(shapes_.size()); }
    /// Of the tiles, per direction.
    const std::array<std::vector<int>, 4>& thickness() const { return thickness_; }
    /// Is direction mu cut (more than one tile)?
    bool cut(int mu) const { return thickness_[mu].size() > 1; }
    bool any_cut() const;

    const tile_shape& shape(int tile) const { return shapes_[tile]; }
    /// Tile next to `tile` in direction mu, forward (sign > 0) or backward; periodic.
    int neighbour(int tile, int mu, int sign) const;

    SitePlace place(const Coord&) const;

    /// Sites of one parity of a tile.
    long sites(int tile) const;
    /// Slots for them, lanes that stay empty included.
    long padded_sites(int tile) const { return 32L * shapes_[tile].blocks; }
    long padded_sites() const;

    /// Do all tiles have at most most_blocks blocks? Others have no data (tasks/data.hpp).
    bool kernels_can_index() const;

private:
    struct Cut { // of one coordinate value of one direction
        int tile, part, inner;
    };
    void choose_parts(Suits);
    int most_halvings(int mu, bool odd) const;
    void make_shapes();

    Extents lattice_;
    std::array<std::vector<int>, 4> thickness_;
    std::array<int, 4> lane_bits_{}; // parts per direction are 2^lane_bits
    std::array<std::vector<Cut>, 4> cuts_;
    std::vector<tile_shape> shapes_;
};

/// Kernels number the reals of a tile's links by an int.
inline constexpr int most_blocks =
    std::numeric_limits<int>::max() / (4 * reals(LinkStorage::full) * QCD_LANES);

/// The thicknesses of `count` tiles of an extent, even and as equal as possible, thicker ones
/// first.
std::vector<int> even_split(int extent, int count);
/// The first of these.
constexpr int thickest(int extent, int count) { return 2 * ((extent / 2 + count - 1) / count); }

} // namespace qcd

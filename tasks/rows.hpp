#pragma once
// Where a site's reals stand in the memory of a tile (codelets/device/shape.h).

#include "codelets/device/shape.h"
#include "tasks/data.hpp"

#include <cstddef>

namespace qcd
{

/// Offset of a lane in row 0 of a block, and the distance of rows, for stored reals.
template <class Real>
struct Rows {
    static constexpr int piece = QCD_PIECE_BYTES / int(sizeof(Real));
    static std::size_t offset(long block, int lane, int rows)
    {
        return std::size_t(block) * rows * QCD_LANES + std::size_t(lane / piece) * piece * rows +
               lane % piece;
    }
};

/// What memory has before it is filled slice by slice: a file that is bad shows before it has taken
/// the memory of all. Lanes that stay empty hold 0.
inline Contents first_contents(const LatticeGraph& g)
{
    long padded = 0;
    for (const int tile : g.owned_tiles()) padded += g.tiling().padded_sites(tile);
    return 2 * padded == volume(g.owned_box()) ? Contents::none : Contents::zeros;
}

/// Each real rounded from double to single: of blocks of so many rows, `fields` after each other in
/// a tile. Waits.
void narrow_reals(const LatticeGraph&, const TileData& from, const TileData& to, Sites, int fields,
                  int rows);
/// Like narrow_reals(), for complex numbers that become words of 16 bits each part, as elements of
/// links do (lattice/fixed_point.hpp): half as many rows. Returns the largest part; NaN if one is.
double narrow_to_words(const LatticeGraph&, const TileData& from, const TileData& to, Sites,
                       int fields, int rows);

} // namespace qcd

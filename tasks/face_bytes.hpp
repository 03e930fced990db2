#pragma once

#include "codelets/device/faces.h"
#include "lattice/precision.hpp"
#include "tasks/tiling.hpp"

namespace qcd
{

/// Bytes of the half spinors of one face of a tile.
inline std::size_t face_bytes(const Tiling& t, Precision p, int tile, int mu)
{
    return std::size_t(face_blocks(t.shape(tile), mu)) * QCD_HALF_ROWS * QCD_LANES * math_bytes(p);
}

} // namespace qcd

#pragma once
// The four extents of a lattice, in the order x, y, z, t. Site number s = ((t*LZ+z)*LY+y)*LX+x.

#include <array>
#include <string>
#include <string_view>

namespace qcd
{

using Extents = std::array<int, 4>; ///< LX, LY, LZ, LT
using Coord = std::array<int, 4>;   ///< x, y, z, t

/// Largest extent accepted, and largest number of sites: as many terms as an exact sum holds
/// (codelets/device/exact_sum.h).
inline constexpr int max_extent = 4096;
inline constexpr long max_volume = 1L << 31;

inline long volume(const Extents& e) { return long(e[0]) * e[1] * e[2] * e[3]; }

/// "16x16x16x32"
std::string to_string(const Extents& e);

/// Four numbers joined by 'x', or all by '.', each from 1 to max_extent. Throws Error naming
/// `what`.
Extents parse_extents(std::string_view text, std::string_view what = "lattice");

/// Extents a lattice may have: even (checkerboarding), 2..max_extent, at most max_volume sites.
/// Throws Error naming `what`.
void require_lattice(const Extents& e, std::string_view what);

} // namespace qcd

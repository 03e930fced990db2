#pragma once

#include "lattice/extents.hpp"

#include <array>
#include <span>

namespace qcd
{

/// Twisted boundary: psi(x + L_mu) = exp(i pi theta_mu) psi(x), in x, y, z and t.
using Theta = std::array<double, 4>;

inline bool is_twisted(const Theta& theta) { return theta != Theta{}; }

/// Multiplies the links that cross the boundary, those of direction mu at x_mu = L_mu - 1, by that
/// phase: the links of time slice t, [z][y][x][mu][row][column][re, im]. They are in U(3) then.
/// Multiples of 1/2 are exact: 1, i, -1, -i.
void twist_slice(const Extents&, const Theta&, int t, std::span<double> links);

} // namespace qcd

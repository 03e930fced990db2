#pragma once

#include "lattice/extents.hpp"

#include <array>
#include <complex>
#include <optional>
#include <span>
#include <string_view>

namespace qcd
{

/// Twisted boundary: psi(x + L_mu) = exp(i pi theta_mu) psi(x), in x, y, z and t.
using Theta = std::array<double, 4>;

inline bool is_twisted(const Theta& theta) { return theta != Theta{}; }

/// Four numbers "X,Y,Z,T" of at most 1e6; none: it is something else.
std::optional<Theta> parse_theta(std::string_view text);

/// exp(i pi theta); multiples of 1/2 are exact: 1, i, -1, -i.
std::complex<double> unit_phase(double theta);

/// Multiplies the links that cross the boundary, those of direction mu at x_mu = L_mu - 1, by that
/// phase: the links of time slice t, [z][y][x][mu][row][column][re, im]. They are in U(3) then.
void twist_slice(const Extents&, const Theta&, int t, std::span<double> links);

} // namespace qcd

#pragma once
// The clover term as its formula reads: loops of links, full 4x4 spin matrices, one 12x12 matrix a
// site. For D see dirac.hpp.

#include "tests/reference/dirac.hpp"

namespace qcd::reference
{

using ColourMatrix = std::array<std::array<Complex, 3>, 3>; ///< [row][column]
using SiteMatrix = std::array<std::array<Complex, 12>, 12>; ///< of 3 spin + colour

/// F_munu = (Q - Q^dagger)/8 at site s, Q the four plaquettes of the plane that begin there.
ColourMatrix field_strength(const Wilson& w, long s, int mu, int nu);

/// T = 1 + i kappa csw sum_{mu<nu} sigma_munu F_munu + i mubar gamma5, with this mubar.
SiteMatrix site_matrix(const Wilson& w, long s, double mubar);

/// The matrix that a site's 72 stored reals stand for (codelets/device/clover.h).
SiteMatrix from_stored(const double* reals);

/// m psi, m of a site as [s]
Spinors multiply(const std::vector<SiteMatrix>& m, const Spinors& psi);

/// T psi (power 1) or T^-1 psi (power -1).
Spinors clover_diagonal(const Wilson& w, double mubar, int power, const Spinors& psi);

} // namespace qcd::reference

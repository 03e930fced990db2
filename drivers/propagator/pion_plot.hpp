#pragma once

#include "lattice/pion_correlator.hpp"

#include <string>

namespace qcd
{

/// Throws Error for a folder that has files, but no correlators of this program.
void require_pion_folder(const std::string& folder);

/// pion.dat and pion.gp in the folder, which is made if it is not there, and from them by gnuplot
/// pion.svg and pion.png: the correlators along t and z on a logarithmic axis, the effective masses
/// below. Returns in a line why there are no pictures; empty: there are. Throws Error.
std::string plot_pion(const std::string& folder, const PionCorrelator&);

} // namespace qcd

#pragma once

#include "tasks/lattice_graph.hpp"

#include <cstddef>

namespace qcd
{

/// Where cores find the data of an operation that goes through so many bytes for each site of one
/// parity of the tiles that cores may compute: QCD_REACH_* (codelets/device/args.h). While StarPU
/// runs.
int reach_of(const LatticeGraph&, std::size_t bytes_per_site);

} // namespace qcd

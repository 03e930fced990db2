#pragma once
// Gauge files that openQCD exports (universal format): LT, LX, LY, LZ as 32-bit integers, the
// plaquette times 3 as a double, then the links of 64 bits, 3x3, all little-endian: at each odd
// site (x + y + z + t odd) the eight links that touch it, +t -t +x -x +y -y +z -z, where -mu is
// U_mu(site - mu). Sites: z fastest, then y, x, t.

#include "lattice/files/gauge_file.hpp"
#include "lattice/files/gauge_writer.hpp"

namespace qcd
{

/// Has it what such a header has? It has no signature.
bool is_openqcd(const FileBytes& bytes);

/// Reads the header of a file that is_openqcd(). The data must end where the file ends. The links
/// are found by header.sites, which keeps those of two time slices in memory. Throws Error.
GaugeFileHeader read_openqcd_header(const FileBytes& bytes);

std::unique_ptr<GaugeWriter> openqcd_writer(const std::string& path, const Extents& lattice);

} // namespace qcd

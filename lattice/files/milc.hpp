#pragma once
// MILC's gauge files of version 5: a header of 96 bytes, then the links of 32 bits, 3x3, all in one
// byte order, which the first number tells.
// Header: 20103, the four extents, 64 bytes of date, 0 (sites in order), two checksums.

#include "lattice/files/gauge_file.hpp"

namespace qcd
{

bool is_milc(const FileBytes& bytes);

/// Reads the header of a file that is_milc(). The data must end where the file ends. Throws Error.
GaugeFileHeader read_milc_header(const FileBytes& bytes);

/// The header of a file whose links have 32 bits.
std::vector<std::byte> milc_header(const Extents& lattice, bool big_endian,
                                   const MilcChecksum& checksum);

} // namespace qcd

#pragma once
// ILDG gauge files: LIME with the records ildg-format (XML), ildg-binary-data (big-endian, 3x3,
// 32 or 64 bits) and, optional, scidac-checksum (XML). Other records are skipped.

#include "lattice/files/gauge_file.hpp"

namespace qcd
{

/// The first two records must be there, none of the three twice; a file with SciDAC's records in
/// their place is read by read_scidac_gauge_header(). Without ildg-format the lattice is
/// `lattice`, if the size of the links is that of one precision. Throws Error.
GaugeFileHeader read_ildg_header(const FileBytes& bytes, const std::optional<Extents>& lattice,
                                 std::optional<int> number);

std::string ildg_format_xml(const Extents& lattice, int bits);

} // namespace qcd

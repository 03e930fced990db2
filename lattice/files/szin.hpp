#pragma once
// Gauge files of SZIN, versions 1 to 7, big-endian words of 32 bits: the sizes of date, banner and
// record; date and banner, a word for each character; the version, the run's parameters, the four
// extents, four words of seed, 820 of statistics. Then the links, 3x3, columns first: for each
// direction all even sites (x + y + z + t even), then all odd ones, x fastest. Nothing in the file
// says whether the links are the ones that were written.

#include "lattice/files/gauge_file.hpp"

namespace qcd
{

/// Has it what such a header begins with? It has no signature.
bool is_szin(const FileBytes& bytes);

/// Reads the header of a file that is_szin(). The data must end where the file ends. The links are
/// found by header.sites, which keeps those of a time slice in memory. Throws Error.
GaugeFileHeader read_szin_header(const FileBytes& bytes);

} // namespace qcd

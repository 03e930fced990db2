#pragma once
// The NERSC format: a text header BEGIN_HEADER, KEY = VALUE lines, END_HEADER (JLQCD's writer gives
// it no line end), then the links.
// DATATYPE 4D_SU3_GAUGE (two rows) or 4D_SU3_GAUGE_3x3; FLOATING_POINT IEEE32 or IEEE64, followed
// by BIG, LITTLE or nothing; DIMENSION_1..4 = x, y, z, t; CHECKSUM, PLAQUETTE, LINK_TRACE.
// With nothing the older codes mean big, Grid means little: the first links tell.

#include "lattice/files/gauge_file.hpp"

namespace qcd
{

/// Every key above but the last two must be there, and none twice; other lines are not looked at.
/// The data must end where the file ends. Throws Error.
GaugeFileHeader read_nersc_header(const FileBytes& bytes);

/// Values of a header that are known only after the last link.
struct NerscTotals {
    std::uint32_t checksum = 0;
    double plaquette = 0, link_trace = 0;
};

/// A header of the same length whatever the totals are.
std::string nersc_header(const Extents& lattice, const LinkFormat& links,
                         const NerscTotals& totals);

} // namespace qcd

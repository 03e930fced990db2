#pragma once
// Gauge fields in files. The readers of the formats (ildg.hpp, nersc.hpp) turn a header into a
// GaugeFileHeader after comparing every size with the file's; the links are streamed here.

#include "lattice/files/checksum.hpp"
#include "lattice/files/file_bytes.hpp"
#include "lattice/files/link_format.hpp"
#include "lattice/gauge_source.hpp"

namespace qcd
{

/// An average that a header should state.
struct ClaimedAverage {
    std::string text;            ///< what stands there
    std::optional<double> value; ///< none: that is not a number, or nothing is there
    double last_digit = 0;       ///< its unit
};

/// What a header says. The data are known to lie inside the file.
struct GaugeFileHeader {
    std::string format_name; ///< such as "NERSC, 2 rows, IEEE32BIG"
    Extents lattice;
    LinkFormat links;
    std::uint64_t data_offset;
    std::optional<std::uint32_t> word_sum;
    std::optional<ScidacChecksum> scidac;
    std::optional<ClaimedAverage> plaquette, link_trace; ///< none: not in this format
    std::vector<std::string> notes;                      ///< see GaugeSource::notes()
};

/// Bytes that the links of a lattice occupy.
std::uint64_t data_bytes(const Extents& lattice, const LinkFormat& links);

/// Opens an ILDG or NERSC file; which of them is told by its first bytes. Throws Error, naming the
/// file, for anything else and if the extents differ from `expected`, which a file that does not
/// say its extents is read with. The first row of links is checked already.
std::unique_ptr<GaugeSource> open_gauge_file(const std::string& path,
                                             const std::optional<Extents>& expected,
                                             Unitarity = Unitarity::required);
std::unique_ptr<GaugeSource> open_gauge_file(std::unique_ptr<FileBytes> bytes,
                                             const std::optional<Extents>& expected,
                                             Unitarity = Unitarity::required);

} // namespace qcd

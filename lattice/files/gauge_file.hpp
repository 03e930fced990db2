#pragma once
// Gauge fields in files. The readers of the formats (such as milc.hpp) turn a header into a
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

/// How a file stores sites that do not follow each other.
class StoredSites
{
public:
    virtual ~StoredSites() = default;

    /// The four links of as many sites of the box as `out` has room for, from its site `first` on.
    virtual void read(const FileBytes&, const Box&, long first, std::span<std::byte> out) = 0;
};

/// What a header says. The data are known to lie inside the file.
struct GaugeFileHeader {
    std::string format_name; ///< such as "NERSC, 2 rows, IEEE32BIG"
    Extents lattice;
    LinkFormat links;
    std::uint64_t data_offset = 0;
    std::shared_ptr<StoredSites> sites; ///< none: one after the other, from data_offset on
    std::optional<std::uint32_t> word_sum;
    std::optional<ScidacChecksum> scidac;
    std::optional<MilcChecksum> milc;
    /// None: not in this format. Beside a plaquette without a link trace there is no checksum, and
    /// another one is refused.
    std::optional<ClaimedAverage> plaquette, link_trace;
    std::vector<std::string> notes; ///< see GaugeSource::notes()
};

/// Bytes that the links of a lattice occupy.
std::uint64_t data_bytes(const Extents& lattice, const LinkFormat& links);

/// The links of the header begin at data_offset, which the file has, and end where it does. Throws
/// Error.
void require_data_to_the_end(const FileBytes& bytes, const GaugeFileHeader& header);

/// Reads the header of a file of any format; its content tells which. `lattice` is that of a file
/// that does not say it, `number` GaugeReading's. Throws Error.
GaugeFileHeader read_gauge_header(const FileBytes& bytes, const std::optional<Extents>& lattice,
                                  std::optional<int> number = {});

/// Opens a file of any format; its content tells which. Throws
/// Error, naming the file, for anything else and if the extents differ from `expected`, which a
/// file that does not say its extents is read with. The first row of links is checked already.
std::unique_ptr<GaugeSource> open_gauge_file(const std::string& path,
                                             const std::optional<Extents>& expected,
                                             const GaugeReading& = {});
std::unique_ptr<GaugeSource> open_gauge_file(std::unique_ptr<FileBytes> bytes,
                                             const std::optional<Extents>& expected,
                                             const GaugeReading& = {});

} // namespace qcd

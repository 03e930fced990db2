#pragma once
// Gauge fields to files, one time slice at a time; the file appears when it is complete.

#include "lattice/extents.hpp"
#include "lattice/files/link_format.hpp"
#include "lattice/gauge_observables.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace qcd
{

class GaugeWriter
{
public:
    /// Removes the temporary file unless finish() was called; a file already there stays as it was.
    virtual ~GaugeWriter() = default;
    GaugeWriter(const GaugeWriter&) = delete;
    GaugeWriter& operator=(const GaugeWriter&) = delete;

    /// Time slices t = 0 .. LT-1 in this order, laid out as GaugeSource::read_slice. Throws Error.
    void write_slice(int t, std::span<const double> links);

    /// Ends the file after the last slice; the header gets the observables if it has room for them.
    void finish(const GaugeObservables& measured);

protected:
    GaugeWriter(const std::string& path, const Extents& lattice) : path_(path), lattice_(lattice) {}
    const Extents& lattice() const { return lattice_; }

private:
    /// The next slice, with all its links.
    virtual void put_slice(int t, std::span<const double> links) = 0;
    virtual void complete(const GaugeObservables& measured) = 0;

    std::string path_;
    Extents lattice_;
    int next_ = 0;
};

/// NERSC of any precision, byte order and number of rows.
std::unique_ptr<GaugeWriter> nersc_writer(const std::string& path, const Extents& lattice,
                                          const LinkFormat& links);

/// MILC version 5, of 32 bits.
std::unique_ptr<GaugeWriter> milc_writer(const std::string& path, const Extents& lattice,
                                         bool big_endian = true);

enum class GaugeFormat { ildg, scidac, nersc, milc, openqcd, hdf5 };

/// A format's name, as it is typed and printed; what files of it may be called; the bits that its
/// numbers can have.
struct GaugeFormatFacts {
    GaugeFormat format;
    std::string_view name;
    std::vector<std::string_view> endings;
    std::vector<int> bits;
};
const std::vector<GaugeFormatFacts>& gauge_formats();
const GaugeFormatFacts& facts_of(GaugeFormat);

/// The format that the ending of the file's name says; NERSC where it says nothing.
GaugeFormat gauge_format_of(const std::string& path);

/// ILDG: with a scidac-checksum record, and the file's name as ildg-data-lfn. SciDAC: of one field,
/// as QIO writes it. NERSC: 3x3, big-endian. HDF5: of the layout in hdf5_fields.hpp. Throws Error
/// where the format has no numbers of so many bits, and for HDF5 in a build without it.
std::unique_ptr<GaugeWriter> make_gauge_writer(const std::string& path, const Extents& lattice,
                                               GaugeFormat format, int bits);

/// A writer of the format that the path ends in, in the bits of a source.
inline std::unique_ptr<GaugeWriter> make_gauge_writer(const std::string& path,
                                                      const Extents& lattice, int bits = 64)
{
    return make_gauge_writer(path, lattice, gauge_format_of(path), bits);
}

} // namespace qcd

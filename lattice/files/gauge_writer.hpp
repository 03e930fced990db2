#pragma once
// Gauge fields to files, one time slice at a time; the file appears when it is complete.

#include "lattice/extents.hpp"
#include "lattice/files/link_format.hpp"
#include "lattice/gauge_observables.hpp"

#include <memory>
#include <span>
#include <string>

namespace qcd
{

class GaugeWriter
{
public:
    /// Without finish(), the temporary file is removed; a file already there stays as it was.
    virtual ~GaugeWriter() = default;

    /// Time slices t = 0 .. LT-1 in this order, laid out as GaugeSource::read_slice. Throws Error.
    virtual void write_slice(int t, std::span<const double> links) = 0;

    /// After the last slice; the observables go into the header if the format has room for them.
    virtual void finish(const GaugeObservables& measured) = 0;
};

/// NERSC of any precision, byte order and number of rows.
std::unique_ptr<GaugeWriter> nersc_writer(const std::string& path, const Extents& lattice,
                                          const LinkFormat& links);

/// ILDG with a scidac-checksum record, and the file's name as ildg-data-lfn; bits: 32 or 64.
std::unique_ptr<GaugeWriter> ildg_writer(const std::string& path, const Extents& lattice, int bits);

/// ILDG if the path ends in .lime or .ildg, otherwise NERSC 3x3 big-endian; bits as of its source.
std::unique_ptr<GaugeWriter> make_gauge_writer(const std::string& path, const Extents& lattice,
                                               int bits = 64);

} // namespace qcd

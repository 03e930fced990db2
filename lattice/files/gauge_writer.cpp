#include "lattice/files/gauge_writer.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "lattice/files/hdf5_dataset.hpp"
#include "lattice/files/hdf5_fields.hpp"
#include "lattice/files/ildg.hpp"
#include "lattice/files/lime.hpp"
#include "lattice/files/milc.hpp"
#include "lattice/files/nersc.hpp"
#include "lattice/files/openqcd.hpp"
#include "lattice/files/scidac.hpp"
#include "lattice/files/xml.hpp"
#include "lattice/link.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace fs = std::filesystem;

namespace qcd
{

namespace
{

constexpr std::size_t sites_per_write = 4096; ///< encoded in memory: at most 2.4 MB

/// Sites in order; what stands before and after them is left to the formats.
class FileWriter : public GaugeWriter
{
public:
    FileWriter(const std::string& path, const Extents& lattice, const LinkFormat& links)
        : GaugeWriter(path, lattice), file_(path), links_(links)
    {
    }

protected:
    virtual void write_totals(const GaugeObservables& measured) = 0;

    /// The bytes of sites, from that many after the first site's first on.
    virtual void store(std::uint64_t, std::span<const std::byte> bytes) { file_.append(bytes); }

    AtomicFile& file() { return file_; }
    const LinkFormat& links() const { return links_; }
    std::uint32_t word_sum() const { return word_sum_; }
    const ScidacChecksum& scidac() const { return scidac_; }
    const MilcChecksum& milc() const { return milc_; }

private:
    void put_slice(int t, std::span<const double> links) override
    {
        const std::size_t sites = links.size() / links::reals_per_site;
        for (std::size_t done = 0; done < sites; done += sites_per_write)
            write_sites(t * sites + done, links.subspan(done * links::reals_per_site),
                        std::min(sites_per_write, sites - done));
    }

    void complete(const GaugeObservables& measured) override
    {
        write_totals(measured);
        file_.commit();
    }

    void write_sites(std::uint64_t first, std::span<const double> links, std::size_t count)
    {
        const std::size_t stride = links_.site_bytes();
        raw_.resize(count * stride);
        for (std::size_t i = 0; i < count; ++i) {
            encode_site(links_, &links[i * links::reals_per_site], &raw_[i * stride]);
            const std::span<const std::byte> site(&raw_[i * stride], stride);
            scidac_ ^= ScidacChecksum::of_site(first + i, site);
            milc_ ^= MilcChecksum::of_site(first + i, site, links_.big_endian);
        }
        word_sum_ += qcd::word_sum(raw_, links_.big_endian);
        store(first * stride, raw_);
    }

    AtomicFile file_;
    LinkFormat links_;
    std::vector<std::byte> raw_;
    std::uint32_t word_sum_ = 0;
    ScidacChecksum scidac_;
    MilcChecksum milc_;
};

std::span<const std::byte> bytes_of(const std::string& text)
{
    return std::as_bytes(std::span(text));
}

class NerscWriter : public FileWriter
{
public:
    NerscWriter(const std::string& path, const Extents& lattice, const LinkFormat& links)
        : FileWriter(path, lattice, links)
    {
        file().append(bytes_of(nersc_header(lattice, links, {})));
    }

private:
    void write_totals(const GaugeObservables& measured) override
    {
        const NerscTotals totals{word_sum(), measured.plaquette_total, measured.link_trace};
        file().overwrite(0, bytes_of(nersc_header(lattice(), links(), totals)));
    }
};

class LimeWriter : public FileWriter
{
public:
    LimeWriter(const std::string& path, const Extents& lattice, int bits)
        : FileWriter(path, lattice, {.bits = bits, .big_endian = true, .rows = 3})
    {
    }

protected:
    void append_record(const std::string& type, const std::string& text, bool begins, bool ends)
    {
        append_lime_record(file(), type, text, begins, ends);
    }

    /// The links need no padding: 288 bytes a site or 576.
    void begin_links(const char* type)
    {
        file().append(lime_header(type, data_bytes(lattice(), links()), false, false));
    }

private:
    void write_totals(const GaugeObservables&) override
    {
        append_record("scidac-checksum", scidac_checksum_xml(scidac()), false, true);
    }
};

class IldgWriter : public LimeWriter
{
public:
    IldgWriter(const std::string& path, const Extents& lattice, int bits)
        : LimeWriter(path, lattice, bits)
    {
        append_record("ildg-format", ildg_format_xml(lattice, bits), true, false);
        // Where the field is in a catalogue; some readers insist on it.
        append_record("ildg-data-lfn", fs::path(path).filename().string(), false, false);
        begin_links("ildg-binary-data");
    }
};

class ScidacWriter : public LimeWriter
{
public:
    ScidacWriter(const std::string& path, const Extents& lattice, int bits)
        : LimeWriter(path, lattice, bits)
    {
        append_record("scidac-private-file-xml", scidac_file_xml(lattice), true, false);
        append_record("scidac-file-xml",
                      fmt::format("{}<title>gauge field</title>", xml_declaration), false, true);
        append_record("scidac-private-record-xml",
                      scidac_record_xml("QDP", "ColorMatrix", bits, links().site_bytes(), 4), true,
                      false);
        append_record("scidac-record-xml",
                      fmt::format("{}<info><program>qcd_starpu</program></info>", xml_declaration),
                      false, false);
        begin_links("scidac-binary-data");
    }
};

class MilcWriter : public FileWriter
{
public:
    MilcWriter(const std::string& path, const Extents& lattice, bool big_endian)
        : FileWriter(path, lattice, {.bits = 32, .big_endian = big_endian, .rows = 3})
    {
        file().append(milc_header(lattice, big_endian, {}));
    }

private:
    void write_totals(const GaugeObservables&) override
    {
        file().overwrite(0, milc_header(lattice(), links().big_endian, milc()));
    }
};

class Hdf5Writer : public FileWriter
{
public:
    Hdf5Writer(const std::string& path, const Extents& lattice, int bits)
        : FileWriter(path, lattice, {.bits = bits, .big_endian = false, .rows = 3}),
          offset_(create_hdf5(file(), hdf5_gauge, hdf5_gauge_dataset(lattice, bits)))
    {
    }

private:
    void store(std::uint64_t at, std::span<const std::byte> bytes) override
    {
        file().overwrite(offset_ + at, bytes);
    }
    void write_totals(const GaugeObservables&) override
    {
        set_hdf5_numbers(file(), hdf5_gauge, "checksum", {scidac().suma, scidac().sumb});
    }

    std::uint64_t offset_;
};

} // namespace

void GaugeWriter::write_slice(int t, std::span<const double> links)
{
    const std::size_t reals = volume(lattice_) / lattice_[3] * links::reals_per_site;
    if (t != next_ || t >= lattice_[3] || links.size() != reals)
        throw Error("{}: time slice {} of {} reals to write, expected slice {} of {}", path_, t,
                    links.size(), next_, reals);
    put_slice(t, links);
    ++next_;
}

void GaugeWriter::finish(const GaugeObservables& measured)
{
    if (next_ != lattice_[3])
        throw Error("{}: {} of {} time slices were written", path_, next_, lattice_[3]);
    complete(measured);
}

std::unique_ptr<GaugeWriter> nersc_writer(const std::string& path, const Extents& lattice,
                                          const LinkFormat& links)
{
    return std::make_unique<NerscWriter>(path, lattice, links);
}

std::unique_ptr<GaugeWriter> milc_writer(const std::string& path, const Extents& lattice,
                                         bool big_endian)
{
    return std::make_unique<MilcWriter>(path, lattice, big_endian);
}

std::unique_ptr<GaugeWriter> make_gauge_writer(const std::string& path, const Extents& lattice,
                                               GaugeFormat format, int bits)
{
    const GaugeFormatFacts& facts = facts_of(format);
    if (std::find(facts.bits.begin(), facts.bits.end(), bits) == facts.bits.end())
        throw Error(fmt::format("{}: {} files have numbers of {} bits, not of {}", path, facts.name,
                                facts.bits.front(), bits));
    switch (format) {
    case GaugeFormat::ildg:
        return std::make_unique<IldgWriter>(path, lattice, bits);
    case GaugeFormat::scidac:
        return std::make_unique<ScidacWriter>(path, lattice, bits);
    case GaugeFormat::milc:
        return milc_writer(path, lattice);
    case GaugeFormat::openqcd:
        return openqcd_writer(path, lattice);
    case GaugeFormat::hdf5:
        return std::make_unique<Hdf5Writer>(path, lattice, bits);
    case GaugeFormat::nersc:
        break;
    }
    return nersc_writer(path, lattice, {.bits = bits});
}

} // namespace qcd

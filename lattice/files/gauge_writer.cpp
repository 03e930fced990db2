#include "lattice/files/gauge_writer.hpp"

#include "lattice/error.hpp"
#include "lattice/files/atomic_file.hpp"
#include "lattice/files/ildg.hpp"
#include "lattice/files/lime.hpp"
#include "lattice/files/nersc.hpp"
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

std::span<const std::byte> bytes_of(const std::string& text)
{
    return std::as_bytes(std::span(text));
}

/// The links; what stands before and after them is left to the formats.
class FileWriter : public GaugeWriter
{
public:
    FileWriter(const std::string& path, const Extents& lattice, const LinkFormat& links)
        : path_(path), file_(path), lattice_(lattice), links_(links)
    {
    }

    void write_slice(int t, std::span<const double> links) override
    {
        const std::size_t sites = volume(lattice_) / lattice_[3];
        if (t != next_ || t >= lattice_[3] || links.size() != sites * links::reals_per_site)
            throw Error(
                fmt::format("{}: time slice {} of {} reals to write, expected slice {} of {}",
                            path_, t, links.size(), next_, sites * links::reals_per_site));
        for (std::size_t done = 0; done < sites; done += sites_per_write)
            write_sites(t * sites + done, links.subspan(done * links::reals_per_site),
                        std::min(sites_per_write, sites - done));
        ++next_;
    }

    void finish(const GaugeObservables& measured) override
    {
        if (next_ != lattice_[3])
            throw Error(
                fmt::format("{}: {} of {} time slices were written", path_, next_, lattice_[3]));
        write_totals(measured);
        file_.commit();
    }

protected:
    virtual void write_totals(const GaugeObservables& measured) = 0;

    AtomicFile& file() { return file_; }
    const Extents& lattice() const { return lattice_; }
    const LinkFormat& links() const { return links_; }
    std::uint32_t word_sum() const { return word_sum_; }
    const ScidacChecksum& scidac() const { return scidac_; }

private:
    void write_sites(std::uint64_t first, std::span<const double> links, std::size_t count)
    {
        const std::size_t stride = links_.site_bytes();
        raw_.resize(count * stride);
        for (std::size_t i = 0; i < count; ++i) {
            encode_site(links_, &links[i * links::reals_per_site], &raw_[i * stride]);
            scidac_ ^= ScidacChecksum::of_site(first + i, {&raw_[i * stride], stride});
        }
        word_sum_ += qcd::word_sum(raw_, links_.big_endian);
        file_.append(raw_);
    }

    std::string path_;
    AtomicFile file_;
    Extents lattice_;
    LinkFormat links_;
    std::vector<std::byte> raw_;
    int next_ = 0;
    std::uint32_t word_sum_ = 0;
    ScidacChecksum scidac_;
};

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

class IldgWriter : public FileWriter
{
public:
    IldgWriter(const std::string& path, const Extents& lattice, int bits)
        : FileWriter(path, lattice, {.bits = bits, .big_endian = true, .rows = 3})
    {
        append_record("ildg-format", ildg_format_xml(lattice, bits), true, false);
        // Where the field is in a catalogue; some readers insist on it.
        append_record("ildg-data-lfn", fs::path(path).filename().string(), false, false);
        file().append(lime_header("ildg-binary-data", data_bytes(lattice, links()), false, false));
    }

private:
    // The links need no padding: 288 bytes a site or 576.
    void write_totals(const GaugeObservables&) override
    {
        append_record("scidac-checksum", scidac_checksum_xml(scidac()), false, true);
    }

    void append_record(const std::string& type, std::string text, bool begins, bool ends)
    {
        file().append(lime_header(type, text.size(), begins, ends));
        text.resize(text.size() + lime_padding(text.size()));
        file().append(bytes_of(text));
    }
};

} // namespace

std::unique_ptr<GaugeWriter> nersc_writer(const std::string& path, const Extents& lattice,
                                          const LinkFormat& links)
{
    return std::make_unique<NerscWriter>(path, lattice, links);
}

std::unique_ptr<GaugeWriter> ildg_writer(const std::string& path, const Extents& lattice, int bits)
{
    return std::make_unique<IldgWriter>(path, lattice, bits);
}

std::unique_ptr<GaugeWriter> make_gauge_writer(const std::string& path, const Extents& lattice,
                                               int bits)
{
    if (path.ends_with(".lime") || path.ends_with(".ildg")) return ildg_writer(path, lattice, bits);
    return nersc_writer(path, lattice, {.bits = bits});
}

} // namespace qcd

#include "lattice/files/spinor_writer.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "lattice/box.hpp"
#include "lattice/files/endian.hpp"
#include "lattice/files/gauge_writer.hpp"
#include "lattice/files/hdf5_dataset.hpp"
#include "lattice/files/hdf5_fields.hpp"
#include "lattice/files/lime.hpp"
#include "lattice/files/scidac.hpp"
#include "lattice/files/xml.hpp"
#include "lattice/spinor_digest.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <vector>

namespace qcd
{

namespace
{

constexpr std::size_t bytes_at_once = 1 << 20;

/// What the XML of file and spinors says of their numbers.
std::string claims_of(const SpinorFileKind& kind)
{
    return fmt::format("<spinBasis>{}</spinBasis><boundaryPhases>{}</boundaryPhases>",
                       to_string(kind.basis), to_string(kind.phases));
}

/// A line as the text of an element.
std::string without_markup(std::string text)
{
    for (char& c : text)
        if (c == '<' || c == '>' || c == '&') c = ' ';
    return one_line(std::move(text));
}

/// Sites in order, with their sums; where they go is left to the formats.
class FileSpinorWriter : public SpinorWriter
{
public:
    FileSpinorWriter(const std::string& path, const SpinorFileKind& kind, bool big_endian)
        : path_(path), kind_(kind), file_(path), big_endian_(big_endian),
          sites_(volume(kind.lattice))
    {
        if (kind.propagator && kind.basis != SpinBasis::degrand_rossi)
            throw Error("{}: propagators are written in the basis {} only", path,
                        to_string(SpinBasis::degrand_rossi));
        if (kind.phases.where == BoundaryPhases::spread)
            spread_.emplace(kind.lattice, kind.phases.angles);
    }

    void add_site(const double spinor[24]) override
    {
        if (number_ == count()) throw Error("{}: more sites than it has", path_);
        if (site_ == 0) {
            begin_spinor();
            digest_ = std::make_unique<SpinorDigest>(kind_.bits / 8);
            sums_ = {};
        }
        digest_->add_site(spinor);
        double stored[24];
        std::copy_n(spinor, 24, stored);
        if (spread_) spread_->to_spread(coordinates(kind_.lattice, site_), stored);
        rotate_back(to_degrand_rossi(kind_.basis), stored);
        const std::size_t begin = raw_.size();
        raw_.resize(begin + site_bytes());
        for (std::size_t i = 0; i < 24; ++i) put(stored[i], &raw_[begin], i);
        sums_ ^= ScidacChecksum::of_site(site_, {&raw_[begin], site_bytes()});
        if (++site_ == sites_ || raw_.size() >= bytes_at_once) flush();
        if (site_ < sites_) return;
        end_spinor(digest_->value(), sums_);
        ++number_;
        site_ = stored_ = 0;
    }

    void finish() override
    {
        if (number_ != count() || site_ != 0)
            throw Error("{}: {} of {} spinors were written", path_, number_, count());
        write_totals();
        file_.commit();
    }

protected:
    const SpinorFileKind& kind() const { return kind_; }
    AtomicFile& file() { return file_; }
    int number() const { return number_; } ///< of the spinor
    int count() const { return kind_.spinors; }
    std::size_t site_bytes() const { return std::size_t(24) * kind_.bits / 8; }
    std::uint64_t spinor_bytes() const { return std::uint64_t(sites_) * site_bytes(); }

private:
    virtual void begin_spinor() {}
    /// Bytes of its sites, from that many after its first on.
    virtual void store(std::uint64_t at, std::span<const std::byte> bytes) = 0;
    virtual void end_spinor(std::uint64_t digest, const ScidacChecksum& sums) = 0;
    virtual void write_totals() {}

    void put(double value, std::byte* to, std::size_t i) const
    {
        if (kind_.bits == 32)
            store_word(std::bit_cast<std::uint32_t>(float(value)), big_endian_, to + 4 * i);
        else
            store_word(std::bit_cast<std::uint64_t>(value), big_endian_, to + 8 * i);
    }

    void flush()
    {
        store(stored_, raw_);
        stored_ += raw_.size();
        raw_.clear();
    }

    std::string path_;
    SpinorFileKind kind_;
    AtomicFile file_;
    const bool big_endian_;
    const long sites_;
    std::optional<SpreadPhases> spread_;
    long site_ = 0; ///< of the spinor
    int number_ = 0;
    std::uint64_t stored_ = 0; ///< bytes of it
    std::vector<std::byte> raw_;
    std::unique_ptr<SpinorDigest> digest_;
    ScidacChecksum sums_;
};

class ScidacSpinorWriter : public FileSpinorWriter
{
public:
    ScidacSpinorWriter(const std::string& path, const SpinorFileKind& kind)
        : FileSpinorWriter(path, kind, true)
    {
        append("scidac-private-file-xml", scidac_file_xml(kind.lattice), true, false);
        append("scidac-file-xml",
               fmt::format("{}<spinors><program>qcd_starpu</program>{}<info>{}</info></spinors>",
                           xml_declaration, claims_of(kind), without_markup(kind.info)),
               false, true);
    }

private:
    void append(const char* type, const std::string& text, bool begins, bool ends)
    {
        append_lime_record(file(), type, text, begins, ends);
        size_ += lime_header(type, text.size(), begins, ends).size() + text.size() +
                 lime_padding(text.size());
    }

    /// The record's text, whose length does not depend on the digest.
    std::string record_text(std::uint64_t digest) const
    {
        const std::string source =
            kind().propagator
                ? fmt::format("<spin>{}</spin><color>{}</color>", number() / 3, number() % 3)
                : "";
        return fmt::format("{}<usqcdPropInfo><version>1.0</version>{}<info></info>"
                           "{}<digest>{:016x}</digest></usqcdPropInfo>",
                           xml_declaration, source, claims_of(kind()), digest);
    }

    void begin_spinor() override
    {
        append("scidac-private-record-xml",
               scidac_record_xml("USQCD", "DiracFermion", kind().bits, site_bytes(), 1), true,
               false);
        text_at_ = size_ + lime_header("", 0, false, false).size();
        append("scidac-record-xml", record_text(0), false, false);
        const auto header = lime_header("scidac-binary-data", spinor_bytes(), false, false);
        file().append(header);
        size_ += header.size() + spinor_bytes(); // no padding
    }

    void store(std::uint64_t, std::span<const std::byte> bytes) override { file().append(bytes); }

    void end_spinor(std::uint64_t digest, const ScidacChecksum& sums) override
    {
        const std::string text = record_text(digest);
        file().overwrite(text_at_, std::as_bytes(std::span(text)));
        append("scidac-checksum", scidac_checksum_xml(sums), false, true);
    }

    std::uint64_t size_ = 0, text_at_ = 0;
};

class Hdf5SpinorWriter : public FileSpinorWriter
{
public:
    Hdf5SpinorWriter(const std::string& path, const SpinorFileKind& kind)
        : FileSpinorWriter(path, kind, false),
          offset_(create_hdf5(file(), hdf5_spinors, hdf5_spinors_dataset(kind)))
    {
    }

private:
    void store(std::uint64_t at, std::span<const std::byte> bytes) override
    {
        file().overwrite(offset_ + number() * spinor_bytes() + at, bytes);
    }
    void end_spinor(std::uint64_t digest, const ScidacChecksum& sums) override
    {
        digests_.push_back(digest);
        checksums_.insert(checksums_.end(), {sums.suma, sums.sumb});
    }
    void write_totals() override
    {
        set_hdf5_numbers(file(), hdf5_spinors, "digest", digests_);
        set_hdf5_numbers(file(), hdf5_spinors, "checksum", checksums_);
    }

    std::uint64_t offset_;
    std::vector<std::uint64_t> digests_, checksums_;
};

} // namespace

std::unique_ptr<SpinorWriter> make_spinor_writer(const std::string& path,
                                                 const SpinorFileKind& kind)
{
    if (gauge_format_of(path) == GaugeFormat::hdf5)
        return std::make_unique<Hdf5SpinorWriter>(path, kind);
    return std::make_unique<ScidacSpinorWriter>(path, kind);
}

} // namespace qcd

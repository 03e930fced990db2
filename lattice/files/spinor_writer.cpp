#include "lattice/files/spinor_writer.hpp"

#include "lattice/error.hpp"
#include "lattice/files/atomic_file.hpp"
#include "lattice/files/endian.hpp"
#include "lattice/files/lime.hpp"
#include "lattice/files/scidac.hpp"
#include "lattice/files/xml.hpp"
#include "lattice/spinor_digest.hpp"
#include "lattice/text.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <vector>

namespace qcd
{

namespace
{

constexpr std::size_t bytes_at_once = 1 << 20;
constexpr std::string_view spinor_data = "scidac-binary-data";

/// Of a line that becomes the text of an element.
std::string without_markup(std::string text)
{
    for (char& c : text)
        if (c == '<' || c == '>' || c == '&') c = ' ';
    return one_line(std::move(text));
}

class ScidacSpinorWriter : public SpinorWriter
{
public:
    ScidacSpinorWriter(const std::string& path, const SpinorFileKind& kind)
        : path_(path), kind_(kind), file_(path), sites_(volume(kind.lattice))
    {
        if (kind.propagator && kind.basis != SpinBasis::degrand_rossi)
            throw Error(fmt::format("{}: propagators are written in the basis {} only", path,
                                    to_string(SpinBasis::degrand_rossi)));
        append("scidac-private-file-xml", scidac_file_xml(kind.lattice), true, false);
        append("scidac-file-xml",
               fmt::format("{}<spinors><program>qcd_starpu</program><spinBasis>{}</spinBasis>"
                           "<info>{}</info></spinors>",
                           xml_declaration, to_string(kind.basis), without_markup(kind.info)),
               false, true);
    }

    void add_site(const double spinor[24]) override
    {
        if (number_ == count()) throw Error(fmt::format("{}: more sites than it has", path_));
        if (site_ == 0) begin_spinor();
        digest_->add_site(spinor);
        double stored[24];
        std::copy_n(spinor, 24, stored);
        rotate_back(to_degrand_rossi(kind_.basis), stored);
        const std::size_t begin = raw_.size();
        raw_.resize(begin + site_bytes());
        for (std::size_t i = 0; i < 24; ++i) put(stored[i], &raw_[begin], i);
        sums_ ^= ScidacChecksum::of_site(site_, {&raw_[begin], site_bytes()});
        if (raw_.size() >= bytes_at_once) flush();
        if (++site_ == sites_) end_spinor();
    }

    void finish() override
    {
        if (number_ != count() || site_ != 0)
            throw Error(fmt::format("{}: {} of {} spinors were written", path_, number_, count()));
        file_.commit();
    }

private:
    int count() const { return kind_.propagator ? 12 : 1; }
    std::size_t site_bytes() const { return std::size_t(24) * kind_.bits / 8; }

    void put(double value, std::byte* to, std::size_t i) const
    {
        if (kind_.bits == 32)
            store_word(std::bit_cast<std::uint32_t>(float(value)), true, to + 4 * i);
        else
            store_word(std::bit_cast<std::uint64_t>(value), true, to + 8 * i);
    }

    void append(const char* type, const std::string& text, bool begins, bool ends)
    {
        append_lime_record(file_, type, text, begins, ends);
        size_ += lime_header(type, text.size(), begins, ends).size() + text.size() +
                 lime_padding(text.size());
    }

    /// Of the same length whatever the digest.
    std::string record_text(std::uint64_t digest) const
    {
        const std::string source =
            kind_.propagator
                ? fmt::format("<spin>{}</spin><color>{}</color>", number_ / 3, number_ % 3)
                : "";
        return fmt::format("{}<usqcdPropInfo><version>1.0</version>{}<info></info>"
                           "<spinBasis>{}</spinBasis><digest>{:016x}</digest></usqcdPropInfo>",
                           xml_declaration, source, to_string(kind_.basis), digest);
    }

    void begin_spinor()
    {
        append("scidac-private-record-xml",
               scidac_record_xml("USQCD", "DiracFermion", kind_.bits, site_bytes(), 1), true,
               false);
        text_at_ = size_ + lime_header("", 0, false, false).size();
        append("scidac-record-xml", record_text(0), false, false);
        const auto header =
            lime_header(std::string(spinor_data), sites_ * site_bytes(), false, false);
        file_.append(header);
        size_ += header.size() + sites_ * site_bytes(); // no padding
        digest_ = std::make_unique<SpinorDigest>(kind_.bits / 8);
        sums_ = {};
    }

    void end_spinor()
    {
        flush();
        const std::string text = record_text(digest_->value());
        file_.overwrite(text_at_, std::as_bytes(std::span(text)));
        append("scidac-checksum", scidac_checksum_xml(sums_), false, true);
        ++number_;
        site_ = 0;
    }

    void flush()
    {
        file_.append(raw_);
        raw_.clear();
    }

    std::string path_;
    SpinorFileKind kind_;
    AtomicFile file_;
    const long sites_;
    long site_ = 0;  ///< of the spinor
    int number_ = 0; ///< of it
    std::uint64_t size_ = 0, text_at_ = 0;
    std::vector<std::byte> raw_;
    std::unique_ptr<SpinorDigest> digest_;
    ScidacChecksum sums_;
};

} // namespace

std::unique_ptr<SpinorWriter> scidac_spinor_writer(const std::string& path,
                                                   const SpinorFileKind& kind)
{
    return std::make_unique<ScidacSpinorWriter>(path, kind);
}

} // namespace qcd

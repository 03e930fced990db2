#include "lattice/files/szin.hpp"

#include "base/error.hpp"
#include "lattice/files/endian.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <span>

namespace qcd
{

namespace
{

constexpr std::uint64_t word_bytes = 4, seed_words = 4, statistics_words = 820;
constexpr std::uint32_t most_date_words = 99, most_banner_words = 9999;

/// Some of the run's parameters, which follow the version: how many there are, and which of them is
/// the number of dimensions; that of colours is the next one.
struct SzinParameters {
    std::uint64_t count, dimensions;
};
constexpr std::array<SzinParameters, 7> parameters_of_version{
    {{7, 0}, {9, 0}, {10, 0}, {12, 0}, {13, 1}, {17, 1}, {25, 1}}};

std::uint32_t word_at(const FileBytes& bytes, std::uint64_t number)
{
    std::array<std::byte, word_bytes> word;
    bytes.read(number * word_bytes, word);
    return load_word<std::uint32_t>(word.data(), true);
}

/// Where the header's parts begin, in words.
struct SzinLayout {
    std::uint32_t version;
    std::uint64_t extents, links;
};

/// None: this is no such header.
std::optional<SzinLayout> szin_layout(const FileBytes& bytes)
{
    const std::uint64_t words = bytes.size() / word_bytes;
    if (words < 3) return {};
    const std::uint32_t date = word_at(bytes, 0), banner = word_at(bytes, 1);
    if (date < 1 || date > most_date_words || banner > most_banner_words) return {};
    const std::uint64_t version_at = 3 + date + banner;
    if (version_at >= words) return {};
    const std::uint32_t version = word_at(bytes, version_at);
    if (version < 1 || version > parameters_of_version.size()) return {};
    const auto [count, dimensions] = parameters_of_version[version - 1];
    const std::uint64_t dimensions_at = version_at + 1 + dimensions;
    if (dimensions_at + 1 >= words || word_at(bytes, dimensions_at) != 4 ||
        word_at(bytes, dimensions_at + 1) != 3)
        return {};
    const std::uint64_t extents = version_at + 1 + count;
    return SzinLayout{version, extents, extents + 4 + seed_words + statistics_words};
}

class SzinSites : public StoredSites
{
public:
    SzinSites(const Extents& lattice, std::uint64_t data_offset)
        : lattice_(lattice), data_offset_(data_offset),
          part_bytes_(std::uint64_t(volume(lattice)) / 2 * link_bytes),
          slice_part_bytes_(part_bytes_ / std::uint64_t(lattice[3]))
    {
    }

    void read(const FileBytes& bytes, const Box& box, long first, std::span<std::byte> out) override
    {
        for (std::size_t at = 0; at < out.size(); at += site_bytes, ++first) {
            const long site = site_number(lattice_, box, first);
            const Coord x = coordinates(lattice_, site);
            keep_slice(bytes, x[3]);
            const std::size_t odd = (x[0] + x[1] + x[2] + x[3]) % 2;
            const long in_slice = site % (volume(lattice_) / lattice_[3]);
            for (std::size_t mu = 0; mu < 4; ++mu)
                copy_transposed(&slice_[(2 * mu + odd) * slice_part_bytes_ +
                                        std::size_t(in_slice / 2) * link_bytes],
                                &out[at + mu * link_bytes]);
        }
    }

private:
    /// Keeps what the eight parts, each a direction's links at the sites of one parity, have in a
    /// time slice.
    void keep_slice(const FileBytes& bytes, int t)
    {
        if (kept_ == t) return;
        kept_ = -1;
        slice_.resize(8 * slice_part_bytes_);
        for (std::uint64_t part = 0; part < 8; ++part)
            bytes.read(data_offset_ + part * part_bytes_ + std::uint64_t(t) * slice_part_bytes_,
                       std::span(slice_).subspan(part * slice_part_bytes_, slice_part_bytes_));
        kept_ = t;
    }

    static void copy_transposed(const std::byte* columns, std::byte* rows)
    {
        for (std::size_t row = 0; row < 3; ++row)
            for (std::size_t column = 0; column < 3; ++column)
                std::copy_n(columns + (3 * column + row) * number_bytes, number_bytes,
                            rows + (3 * row + column) * number_bytes);
    }

    static constexpr std::size_t number_bytes = 8, link_bytes = 9 * number_bytes,
                                 site_bytes = 4 * link_bytes;

    Extents lattice_;
    std::uint64_t data_offset_, part_bytes_, slice_part_bytes_;
    int kept_ = -1; ///< time slice
    std::vector<std::byte> slice_;
};

} // namespace

bool is_szin(const FileBytes& bytes) { return szin_layout(bytes).has_value(); }

GaugeFileHeader read_szin_header(const FileBytes& bytes)
{
    const SzinLayout layout = szin_layout(bytes).value();
    GaugeFileHeader out;
    out.data_offset = layout.links * word_bytes;
    if (bytes.size() < out.data_offset)
        throw Error("{}: truncated: this SZIN header has {} bytes, the file {}", bytes.name(),
                    out.data_offset, bytes.size());
    for (int mu = 0; mu < 4; ++mu) // what is no extent becomes one that is too large
        out.lattice[mu] = int(std::min<std::uint32_t>(
            word_at(bytes, layout.extents + std::uint64_t(mu)), max_extent + 2));
    require_lattice(out.lattice, bytes.name());
    out.links = {.bits = 32, .big_endian = true, .rows = 3};
    out.format_name = fmt::format("SZIN version {}, 32 bits", layout.version);
    require_data_to_the_end(bytes, out);
    out.sites = std::make_shared<SzinSites>(out.lattice, out.data_offset);
    return out;
}

} // namespace qcd

#include "lattice/files/openqcd.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "lattice/files/endian.hpp"
#include "lattice/link.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace qcd
{

namespace
{

constexpr std::size_t openqcd_header_bytes = 24, link_bytes = 144, odd_site_bytes = 8 * link_bytes;
constexpr std::array<int, 4> extent_order{3, 0, 1, 2}; ///< t, x, y, z

/// Where the links of a lattice are among those of the odd sites.
class OddSites
{
public:
    explicit OddSites(const Extents& lattice) : lattice_(lattice) {}

    std::size_t slice_bytes() const
    {
        return std::size_t(volume(lattice_) / lattice_[3] / 2) * odd_site_bytes;
    }

    struct Place {
        int t;              ///< time slice of the odd site
        std::size_t offset; ///< in its slice
    };

    /// Where U_mu(x) is.
    Place of_link(Coord x, int mu) const
    {
        const bool odd = (x[0] + x[1] + x[2] + x[3]) % 2 != 0;
        if (!odd) x[mu] = (x[mu] + 1) % lattice_[mu]; // it ends at an odd site
        const std::size_t number =
            ((std::size_t(x[0]) * lattice_[1] + x[1]) * lattice_[2] + x[2]) / 2;
        const std::size_t direction = 2 * ((mu + 1) % 4) + !odd; // t comes first
        return {x[3], number * odd_site_bytes + direction * link_bytes};
    }

private:
    Extents lattice_;
};

class OpenqcdSites : public StoredSites
{
public:
    explicit OpenqcdSites(const Extents& lattice) : lattice_(lattice), places_(lattice) {}

    void read(const FileBytes& bytes, const Box& box, long first, std::span<std::byte> out) override
    {
        constexpr std::size_t site_bytes = 4 * link_bytes;
        for (std::size_t i = 0; i * site_bytes < out.size(); ++i) {
            const Coord x = coordinates(lattice_, site_number(lattice_, box, first + long(i)));
            for (int mu = 0; mu < 4; ++mu) {
                const OddSites::Place place = places_.of_link(x, mu);
                std::copy_n(&slice(bytes, place.t)[place.offset], link_bytes,
                            &out[i * site_bytes + mu * link_bytes]);
            }
        }
    }

private:
    /// A time slice as it lies in the file. Two are kept: that of an even site's own links, and the
    /// one after it.
    const std::vector<std::byte>& slice(const FileBytes& bytes, int t)
    {
        Kept& kept = kept_[t % 2];
        if (kept.t == t) return kept.bytes;
        kept.t = -1;
        kept.bytes.resize(places_.slice_bytes());
        bytes.read(openqcd_header_bytes + t * places_.slice_bytes(), kept.bytes);
        kept.t = t;
        return kept.bytes;
    }

    struct Kept {
        int t = -1;
        std::vector<std::byte> bytes;
    };
    Extents lattice_;
    OddSites places_;
    std::array<Kept, 2> kept_;
};

struct OpenqcdHeader {
    Extents lattice;
    double plaquette; ///< times 3
};

OpenqcdHeader decode_header(const FileBytes& bytes)
{
    std::array<std::byte, openqcd_header_bytes> header;
    bytes.read(0, header);
    OpenqcdHeader out{};
    for (int i = 0; i < 4; ++i) // what is no extent becomes one that is too large
        out.lattice[extent_order[i]] = int(std::min<std::uint32_t>(
            load_word<std::uint32_t>(&header[4 * i], false), max_extent + 2));
    out.plaquette = std::bit_cast<double>(load_word<std::uint64_t>(&header[16], false));
    return out;
}

class OpenqcdWriter : public GaugeWriter
{
public:
    OpenqcdWriter(const std::string& path, const Extents& lattice)
        : GaugeWriter(path, lattice), file_(path),
          places_(lattice), slices_{std::vector<std::byte>(places_.slice_bytes()),
                                    std::vector<std::byte>(places_.slice_bytes())}
    {
        file_.append(header(0));
    }

private:
    /// A slice's links belong to its odd sites and to those of the next one.
    void put_slice(int t, std::span<const double> links) override
    {
        const Box box = time_slice(lattice(), t);
        for (long i = 0; i < volume(box); ++i) {
            std::array<std::byte, 4 * link_bytes> site;
            encode_site({.bits = 64, .big_endian = false, .rows = 3},
                        &links[i * links::reals_per_site], site.data());
            const Coord x = coordinates(lattice(), site_number(lattice(), box, i));
            for (int mu = 0; mu < 4; ++mu) {
                const OddSites::Place place = places_.of_link(x, mu);
                std::copy_n(&site[mu * link_bytes], link_bytes,
                            &slices_[place.t == t ? 0 : 1][place.offset]);
            }
        }
        if (t == 0) first_ = slices_[0]; // what comes from the last slice is not there yet
        file_.append(slices_[0]);
        std::swap(slices_[0], slices_[1]);
    }

    void complete(const GaugeObservables& measured) override
    {
        // Only links that end in slice 0 were written behind the last slice.
        for (std::size_t at = link_bytes; at < first_.size(); at += odd_site_bytes)
            std::copy_n(&slices_[0][at], link_bytes, &first_[at]);
        file_.overwrite(openqcd_header_bytes, first_);
        file_.overwrite(0, header(3 * measured.plaquette_total));
        file_.commit();
    }

    std::vector<std::byte> header(double plaquette) const
    {
        std::vector<std::byte> out(openqcd_header_bytes);
        for (int i = 0; i < 4; ++i)
            store_word(std::uint32_t(lattice()[extent_order[i]]), false, &out[4 * i]);
        store_word(std::bit_cast<std::uint64_t>(plaquette), false, &out[16]);
        return out;
    }

    AtomicFile file_;
    OddSites places_;
    std::array<std::vector<std::byte>, 2> slices_; ///< this one's odd sites, and the next one's
    std::vector<std::byte> first_;
};

} // namespace

bool is_openqcd(const FileBytes& bytes)
{
    if (bytes.size() < openqcd_header_bytes) return false;
    const auto [lattice, plaquette] = decode_header(bytes);
    return std::all_of(lattice.begin(), lattice.end(),
                       [](int extent) { return extent >= 1 && extent <= max_extent; }) &&
           std::abs(plaquette) <= 3.001;
}

GaugeFileHeader read_openqcd_header(const FileBytes& bytes)
{
    const auto [lattice, plaquette] = decode_header(bytes);
    GaugeFileHeader out;
    out.lattice = lattice;
    require_lattice(lattice, bytes.name());
    out.links = {.bits = 64, .big_endian = false, .rows = 3};
    out.format_name = "openQCD, 64 bits";
    out.plaquette = {fmt::format("{:.12f}", plaquette / 3), plaquette / 3, 0};
    out.data_offset = openqcd_header_bytes;
    require_data_to_the_end(bytes, out);
    out.sites = std::make_shared<OpenqcdSites>(lattice);
    return out;
}

std::unique_ptr<GaugeWriter> openqcd_writer(const std::string& path, const Extents& lattice)
{
    return std::make_unique<OpenqcdWriter>(path, lattice);
}

} // namespace qcd

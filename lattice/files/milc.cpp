#include "lattice/files/milc.hpp"

#include "base/error.hpp"
#include "lattice/files/endian.hpp"

#include <array>
#include <fmt/format.h>

namespace qcd
{

namespace
{

constexpr std::uint32_t milc_magic = 20103;
constexpr std::size_t milc_header_bytes = 96, milc_date = 20, milc_date_bytes = 64,
                      milc_order = milc_date + milc_date_bytes, milc_sums = milc_order + 4;

} // namespace

bool is_milc(const FileBytes& bytes)
{
    if (bytes.size() < 4) return false;
    std::array<std::byte, 4> start;
    bytes.read(0, start);
    return load_word<std::uint32_t>(start.data(), true) == milc_magic ||
           load_word<std::uint32_t>(start.data(), false) == milc_magic;
}

GaugeFileHeader read_milc_header(const FileBytes& bytes)
{
    if (bytes.size() < milc_header_bytes)
        throw Error("{}: truncated: a MILC header has {} bytes, the file {}", bytes.name(),
                    milc_header_bytes, bytes.size());
    std::array<std::byte, milc_header_bytes> header;
    bytes.read(0, header);
    const bool big_endian = load_word<std::uint32_t>(header.data(), true) == milc_magic;
    const auto word = [&](std::size_t at) {
        return load_word<std::uint32_t>(&header[at], big_endian);
    };
    GaugeFileHeader out;
    // What is no extent is refused as one that is too large.
    for (int mu = 0; mu < 4; ++mu)
        out.lattice[mu] = int(std::min<std::uint32_t>(word(4 + 4 * mu), max_extent + 2));
    require_lattice(out.lattice, bytes.name());
    if (word(milc_order) != 0)
        throw Error("{}: a MILC checkpoint, whose sites lie as its nodes had them; MILC "
                    "writes them in order with save_serial",
                    bytes.name());
    out.links = {.bits = 32, .big_endian = big_endian, .rows = 3};
    out.format_name =
        fmt::format("MILC version 5, 32 bits, {}-endian", big_endian ? "big" : "little");
    out.milc = {word(milc_sums), word(milc_sums + 4)};
    out.data_offset = milc_header_bytes;
    require_data_to_the_end(bytes, out);
    return out;
}

std::vector<std::byte> milc_header(const Extents& lattice, bool big_endian,
                                   const MilcChecksum& checksum)
{
    std::vector<std::byte> header(milc_header_bytes);
    const auto put = [&](std::size_t at, std::uint32_t word) {
        store_word(word, big_endian, &header[at]);
    };
    put(0, milc_magic);
    for (int mu = 0; mu < 4; ++mu) put(4 + 4 * mu, std::uint32_t(lattice[mu]));
    constexpr std::string_view no_date = "written by qcd_starpu"; // the same file at any time
    std::memcpy(&header[milc_date], no_date.data(), no_date.size());
    put(milc_sums, checksum.sum29);
    put(milc_sums + 4, checksum.sum31);
    return header;
}

} // namespace qcd

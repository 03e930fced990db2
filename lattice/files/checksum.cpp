#include "lattice/files/checksum.hpp"

#include "lattice/files/endian.hpp"

#include <algorithm>
#include <bit>
#include <xxhash.h>
#include <zlib.h>

namespace qcd
{

std::uint32_t word_sum(std::span<const std::byte> bytes, bool big_endian)
{
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4)
        sum += load_word<std::uint32_t>(&bytes[i], big_endian);
    return sum;
}

ScidacChecksum ScidacChecksum::of_site(std::uint64_t rank, std::span<const std::byte> bytes)
{
    const auto crc = std::uint32_t(
        crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
    return {std::rotl(crc, int(rank % 29)), std::rotl(crc, int(rank % 31))};
}

ScidacChecksum& ScidacChecksum::operator^=(const ScidacChecksum& other)
{
    suma ^= other.suma;
    sumb ^= other.sumb;
    return *this;
}

MilcChecksum MilcChecksum::of_site(std::uint64_t rank, std::span<const std::byte> bytes,
                                   bool big_endian)
{
    MilcChecksum sum;
    const std::uint64_t words = bytes.size() / 4;
    for (std::uint64_t i = 0; i < words; ++i) {
        const auto word = load_word<std::uint32_t>(&bytes[4 * i], big_endian);
        const std::uint64_t number = rank * words + i;
        sum.sum29 ^= std::rotl(word, int(number % 29));
        sum.sum31 ^= std::rotl(word, int(number % 31));
    }
    return sum;
}

MilcChecksum& MilcChecksum::operator^=(const MilcChecksum& other)
{
    sum29 ^= other.sum29;
    sum31 ^= other.sum31;
    return *this;
}

std::uint64_t xxh64(std::span<const std::byte> bytes)
{
    return XXH64(bytes.data(), bytes.size(), 0);
}

ReadSums& ReadSums::operator+=(const ReadSums& other)
{
    sites += other.sites;
    words += other.words;
    scidac ^= other.scidac;
    milc ^= other.milc;
    moved = std::max(moved, other.moved);
    return *this;
}

} // namespace qcd

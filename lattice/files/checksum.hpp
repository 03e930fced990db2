#pragma once
// The checksums of gauge files, over the bytes as stored. Both are sums over sites that may be
// added in any order, so sites can be summed in parallel.

#include <cstddef>
#include <cstdint>
#include <span>

namespace qcd
{

/// NERSC: sum modulo 2^32 of the data read as 32-bit words in the file's byte order.
std::uint32_t word_sum(std::span<const std::byte> bytes, bool big_endian);

/// SciDAC: CRC32 of each site's bytes, rotated left by rank mod 29 (suma) and rank mod 31 (sumb),
/// combined by exclusive or. rank is the site number.
struct ScidacChecksum {
    std::uint32_t suma = 0, sumb = 0;

    static ScidacChecksum of_site(std::uint64_t rank, std::span<const std::byte> bytes);
    ScidacChecksum& operator^=(const ScidacChecksum& other);
    bool operator==(const ScidacChecksum&) const = default;
};

} // namespace qcd
